import type { SettingValues, SpeculationMethod } from '../../plan/settings';
import type { Lowered, LoweringContext } from '../engine';
import { already, caution, configEntries, several, unsupported } from '../lower';
import { isAtLeast } from '../version';

const SOURCE = 'TensorRT-LLM @00043967, tensorrt_llm/llmapi/llm_args.py';
const DOCS = 'TensorRT-LLM @04c8822c, docs/source/features/speculative-decoding.md';

type Entries = Record<string, unknown>;
type Made = Entries | Extract<Lowered, { kind: 'unsupported' }>;
const isRefusal = (made: Made): made is Extract<Lowered, { kind: 'unsupported' }> => made.kind === 'unsupported';
const refuse = (reason: string, source: string, instead?: string): Made =>
  unsupported(reason, source, instead) as Extract<Lowered, { kind: 'unsupported' }>;

const ENGINE_PATH =
  'exists only on the TensorRT engine backend (up to 1.2): on the PyTorch backend take eagle3, mtp, a draft model or prompt lookup';

/** 1.2 knows the older spelling only; later releases take both. */
function draftCheckpoint(ctx: LoweringContext, method: string): Made {
  const draft = ctx.checkpoint('draft');
  if (draft === null) return refuse(`${method} needs a draft checkpoint; connect one to the port "draft"`, SOURCE);
  if (draft.format.startsWith('gguf:')) return refuse('a draft in GGUF is not read', SOURCE);
  return { [isAtLeast(ctx.version, '1.3') ? 'speculative_model' : 'speculative_model_dir']: draft.repo };
}

const since13 = (ctx: LoweringContext, method: string): Made | null =>
  isAtLeast(ctx.version, '1.3')
    ? null
    : refuse(`${method} came after 1.2; this is ${ctx.version}, whose strict parser refuses it`, SOURCE);

function promptLookup(ctx: LoweringContext): Made {
  const longest = ctx.value('promptLookupMaxTokens');
  return { decoding_type: 'NGram', ...(longest === null ? {} : { max_matching_ngram_size: longest }) };
}

function eagle3(ctx: LoweringContext): Made {
  const draft = draftCheckpoint(ctx, 'eagle3');
  if (isRefusal(draft)) return draft;
  // 1.2 spells it Eagle, and means EAGLE-3 on this backend.
  const type = { decoding_type: isAtLeast(ctx.version, '1.3') ? 'Eagle3' : 'Eagle', ...draft };
  const topK = ctx.value('draftTreeTopK') ?? 1;
  if (topK === 1) return type;
  const late = since13(ctx, 'a dynamic draft tree');
  if (late !== null) return late;
  const depth = ctx.value('draftTreeDepth');
  const tokens = ctx.value('draftTokens');
  if (depth === null || tokens === null) return refuse('a draft tree needs its depth beside its tokens', DOCS);
  if (tokens < depth || tokens > depth * topK) {
    return refuse(
      `a tree of ${depth} levels and ${topK} branches holds ${depth} to ${depth * topK} tokens, not ${tokens}`,
      SOURCE,
    );
  }
  const tree = { use_dynamic_tree: true, dynamic_tree_max_topK: topK, max_total_draft_tokens: tokens };
  return { ...type, ...tree, max_draft_len: depth };
}

/** Keys of `speculative_config` beside the draft length. */
function methodEntries(method: Exclude<SpeculationMethod, 'off'>, ctx: LoweringContext): Made {
  switch (method) {
    case 'draft-model': {
      const draft = draftCheckpoint(ctx, method);
      return isRefusal(draft) ? draft : { decoding_type: 'Draft_Target', ...draft };
    }
    case 'prompt-lookup':
      return promptLookup(ctx);
    case 'suffix':
      return since13(ctx, 'the suffix automaton (SA)') ?? { decoding_type: 'SA' };
    case 'eagle3':
      return eagle3(ctx);
    case 'mtp':
      return { decoding_type: 'MTP' };
    case 'dflash': {
      const late = since13(ctx, 'DFlash');
      if (late !== null) return late;
      const draft = draftCheckpoint(ctx, method);
      return isRefusal(draft) ? draft : { decoding_type: 'DFlash', ...draft };
    }
    case 'eagle':
      return refuse(`EAGLE-1/2 ${ENGINE_PATH}`, `${SOURCE} (1.2: supports_backend excludes pytorch)`, 'vllm');
    case 'medusa':
      return refuse(`Medusa ${ENGINE_PATH}`, `${SOURCE} (1.2: supports_backend excludes pytorch)`, 'vllm');
    case 'mlp-speculator':
      return refuse('MLP speculators are in no TensorRT-LLM backend', `${SOURCE} (absence)`, 'vllm');
  }
}

const CHAIN_ONLY: readonly SpeculationMethod[] = ['draft-model', 'prompt-lookup', 'suffix', 'mtp', 'dflash'];

export function lowerTensorrtSpeculation(method: SpeculationMethod, ctx: LoweringContext): Lowered {
  if (method === 'off') return already;
  const entries = methodEntries(method, ctx);
  if (isRefusal(entries)) return entries;
  if ((ctx.value('pipelineParallel') ?? 1) > 1) {
    return unsupported(
      'no speculative path works with pipeline parallelism',
      'TensorRT-LLM @01edceae, docs/source/features/feature-combination-matrix.md',
    );
  }
  const tokens = ctx.value('draftTokens');
  if (tokens === null) return unsupported(`${method} needs the number of drafted tokens`, SOURCE);
  // 1.2 names the MTP length after its layers; later releases warn about that name.
  const old = method === 'mtp' && !isAtLeast(ctx.version, '1.3');
  const { decoding_type } = entries;
  const all = { decoding_type, [old ? 'num_nextn_predict_layers' : 'max_draft_len']: tokens, ...entries };
  const paths = Object.fromEntries(Object.entries(all).map(([key, value]) => [`speculative_config.${key}`, value]));
  const legacy = (method === 'draft-model' || method === 'prompt-lookup') && !isAtLeast(ctx.version, '1.3');
  const note = legacy ? `k = ${tokens}; up to 1.2 this path runs without the overlap scheduler` : `k = ${tokens}`;
  return configEntries({ ...paths, ...(legacy ? { disable_overlap_scheduler: true } : {}) }, note);
}

/** A value that stands inside `speculative_config`. */
export function insideTensorrtSpeculation(ctx: LoweringContext): Lowered {
  return (ctx.value('speculation') ?? 'off') === 'off'
    ? unsupported('it means nothing without speculation', SOURCE)
    : { kind: 'carried', by: 'speculation' };
}

export function lowerTensorrtTree(topK: SettingValues['draftTreeTopK'], ctx: LoweringContext): Lowered {
  const method = ctx.value('speculation');
  if (topK > 1 && method !== null && CHAIN_ONLY.includes(method)) {
    return unsupported(`${method} drafts a chain here; only eagle3 drafts a tree`, DOCS);
  }
  return insideTensorrtSpeculation(ctx);
}

/** A chain is as deep as it is long. */
export function lowerTensorrtDepth(depth: number, ctx: LoweringContext): Lowered {
  const isChain = (ctx.value('draftTreeTopK') ?? 1) === 1;
  if (isChain && depth !== ctx.value('draftTokens')) {
    return unsupported('without branches the draft is a chain, as deep as it has tokens', DOCS);
  }
  return insideTensorrtSpeculation(ctx);
}

/** The only bound of NGram is its longest suffix: it tries every shorter one, down to one token. */
export function lowerTensorrtLookup(bound: 'min' | 'max', tokens: number, ctx: LoweringContext): Lowered {
  if (ctx.value('speculation') !== 'prompt-lookup') {
    return unsupported('lengths of a lookup mean nothing without prompt lookup', DOCS);
  }
  const carried: Lowered = { kind: 'carried', by: 'speculation' };
  return bound === 'min' && tokens > 1
    ? several(carried, caution('NGram looks up every suffix down to one token; a shortest match cannot be set', DOCS))
    : carried;
}

import { METHODS_WITH_DRAFT, type SettingValues, type SpeculationMethod } from '../../plan/settings';
import type { Lowered, LoweringContext, LoweringTable } from '../engine';
import { already, arg, caution, inTarget, several, unsupported } from '../lower';
import { draftBackend } from './attention';
import { KV_DTYPES } from './cache';
import { insideSpeculation, isSpeculating } from './inside-speculation';
import { weightsName } from './weights';

const SOURCE = 'vLLM @017e9f4448, vllm/config/speculative.py';

/** What vLLM calls the methods. */
const METHODS: Readonly<Record<Exclude<SpeculationMethod, 'off'>, string>> = {
  'draft-model': 'draft_model',
  'prompt-lookup': 'ngram',
  suffix: 'suffix',
  eagle: 'eagle',
  eagle3: 'eagle3',
  mtp: 'mtp',
  medusa: 'medusa',
  'mlp-speculator': 'mlp_speculator',
  dflash: 'dflash',
};

type Keys = Record<string, unknown>;

/** Online schemes by the draft's own key; a draft is small, so that only plain FP8 is usual. */
const DRAFT_ONLINE: Readonly<Record<string, string>> = { fp8: 'fp8', 'fp8-block': 'fp8_per_block', mxfp8: 'mxfp8' };

/** The draft's checkpoint and what was asked of it, in a fixed order. */
function draftKeys(ctx: LoweringContext): Keys {
  const checkpoint = ctx.checkpoint('draft');
  if (checkpoint === null) return {};
  const backend = ctx.value('attentionBackend', 'draft');
  const named = backend === null ? null : draftBackend(backend, ctx);
  const scheme = checkpoint.format.split(':')[1] ?? '';
  const type = ctx.value('kvCacheKeyType', 'draft') ?? ctx.value('kvCacheValueType', 'draft');
  const online = checkpoint.source === 'online' ? DRAFT_ONLINE[scheme] : undefined;
  const keys: Keys = {
    revision: checkpoint.revision,
    quantization: online ?? null,
    draft_tensor_parallel_size: ctx.value('tensorParallel', 'draft'),
    max_model_len: ctx.value('contextTokensPerSequence', 'draft'),
    kv_cache_dtype: type === null ? null : (KV_DTYPES[type] ?? null),
    attention_backend: named,
  };
  return {
    model: weightsName(checkpoint),
    ...Object.fromEntries(Object.entries(keys).filter(([, value]) => value !== null)),
  };
}

function lookupKeys(ctx: LoweringContext): Keys {
  const max = ctx.value('promptLookupMaxTokens');
  const min = ctx.value('promptLookupMinTokens');
  return {
    ...(max === null ? {} : { prompt_lookup_max: max }),
    ...(min === null ? {} : { prompt_lookup_min: min }),
  };
}

/** What a method lacks; null: it can start. */
function fault(method: Exclude<SpeculationMethod, 'off'>, ctx: LoweringContext): Lowered | null {
  const checkpoint = ctx.checkpoint('draft');
  if (METHODS_WITH_DRAFT.includes(method) && checkpoint === null) {
    return unsupported(
      `${METHODS[method]} needs a draft checkpoint; connect one to the port "draft"`,
      `${SOURCE}:758-796`,
    );
  }
  const scheme = checkpoint?.format.split(':')[1] ?? '';
  if (checkpoint?.source === 'online' && DRAFT_ONLINE[scheme] === undefined) {
    return unsupported(`the draft cannot be quantized to ${scheme} at load`, `${SOURCE}, quantization`);
  }
  // MTP heads and MLP speculators say in their configuration how far they look ahead.
  const knowsLength = method === 'suffix' || ((method === 'mtp' || method === 'mlp-speculator') && checkpoint !== null);
  if (ctx.value('draftTokens') === null && !knowsLength) {
    return unsupported('vLLM needs the number of drafted tokens', `${SOURCE}:1353`);
  }
  return null;
}

/** The one JSON argument that holds all of speculation; keys in a fixed order. */
function lowerSpeculation(method: SettingValues['speculation'], ctx: LoweringContext): Lowered {
  if (method === 'off') return already;
  const missing = fault(method, ctx);
  if (missing) return missing;
  const tokens = ctx.value('draftTokens');
  const { model, ...draft } = method === 'mtp' || METHODS_WITH_DRAFT.includes(method) ? draftKeys(ctx) : {};
  const config = {
    method: METHODS[method],
    ...(model === undefined ? {} : { model }),
    ...(tokens === null ? {} : { num_speculative_tokens: tokens }),
    ...draft,
    ...(method === 'prompt-lookup' ? lookupKeys(ctx) : {}),
  };
  const flag = arg('--speculative-config', JSON.stringify(config), tokens === null ? undefined : `k = ${tokens}`);
  if (method !== 'suffix') return flag;
  return several(flag, caution('the package arctic-inference must be installed beside vLLM', `${SOURCE}:1148`));
}

const lookupOnly = (ctx: LoweringContext): Lowered =>
  isSpeculating(ctx) && ctx.value('speculation') !== 'prompt-lookup'
    ? unsupported(`lengths of matches mean nothing to ${ctx.value('speculation')}`, SOURCE)
    : insideSpeculation(ctx);

export const vllmSpeculation = {
  speculation: inTarget('speculation', SOURCE, lowerSpeculation),
  draftTokens: inTarget('draftTokens', SOURCE, (_, ctx) => insideSpeculation(ctx)),
  promptLookupMinTokens: inTarget('promptLookupMinTokens', SOURCE, (_, ctx) => lookupOnly(ctx)),
  promptLookupMaxTokens: inTarget('promptLookupMaxTokens', SOURCE, (_, ctx) => lookupOnly(ctx)),
  draftTreeTopK: inTarget('draftTreeTopK', SOURCE, (branches) =>
    branches === 1 ? already : unsupported('vLLM drafts one chain of tokens, no tree', SOURCE, 'sglang'),
  ),
  draftTreeDepth: inTarget('draftTreeDepth', SOURCE, (levels, ctx) =>
    levels === ctx.value('draftTokens')
      ? insideSpeculation(ctx)
      : unsupported(
          `in a chain the levels are the drafted tokens (${ctx.value('draftTokens')}), not ${levels}`,
          SOURCE,
        ),
  ),
} satisfies Partial<LoweringTable>;

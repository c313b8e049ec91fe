import { findFlag } from '../engines/flag';
import type { Arg, Checkpoint } from '../plan/plan';
import type { DraftFields, HardwareFields, ModelFields, PlanContext } from './constraints/context';
import type { ContextValue } from './constraints/expression';
import type { ArmModel, RuleContext } from './rule';

type Fields = Record<string, ContextValue>;

/** A flag as the constraints name it: the first spelling, dashes as underscores. Null: the facts do not know the flag. */
export function argumentName(ctx: RuleContext, { flag }: Pick<Arg, 'flag'>): string | null {
  const fact = flag.startsWith('-') && ctx.engine.flags !== null ? findFlag(ctx.engine.flags, flag) : null;
  return fact === null ? null : fact.name.replace(/^-+/, '').replaceAll('-', '_');
}

function parsed(ctx: RuleContext, { flag, value }: Arg): ContextValue {
  const type = ctx.engine.flags === null ? undefined : findFlag(ctx.engine.flags, flag)?.type;
  if (type === 'boolean') return value === null ? !/^--?no-/.test(flag) : value === 'true';
  if (type === 'integer' || type === 'number') return value === null ? null : Number(value);
  if (type === 'list' || type === 'enum-list') return (value ?? '').split(',').filter((item) => item !== '');
  return value;
}

function argumentsOf(ctx: RuleContext): Fields {
  return Object.fromEntries(
    ctx.component.args.flatMap((arg): [string, ContextValue][] => {
      const name = argumentName(ctx, arg);
      return name === null ? [] : [[name, parsed(ctx, arg)]];
    }),
  );
}

function speculationOf(ctx: RuleContext, arg: Fields): Fields {
  if (ctx.engine.id === 'llama.cpp') {
    const asked = arg.spec_type;
    const types = Array.isArray(asked) ? asked.filter((type) => type !== 'none') : [];
    return { types, on: types.length > 0 };
  }
  const config = arg.speculative_config;
  if (typeof config !== 'string') return {};
  const keys = JSON.parse(config) as Fields;
  return { ...keys, on: true, json_keys: Object.keys(keys) };
}

const QUANT_METHODS = ['awq', 'gptq', 'fp8', 'compressed-tensors', 'mxfp4', 'bitsandbytes'];
const PLAIN_TYPES = ['bfloat16', 'float16', 'float32', 'bf16', 'fp16', 'fp32'];

/** Method of the checkpoint as it is stored: what is quantized while it loads is plain on disk. */
function quantMethod(checkpoint: Checkpoint | undefined): string | null | undefined {
  const [container, type = ''] = checkpoint?.format.split(':') ?? [];
  if (container === 'gguf') return 'gguf';
  if (checkpoint?.source === 'online' || PLAIN_TYPES.includes(type)) return null;
  return QUANT_METHODS.includes(type) ? type : undefined;
}

const known = <T>(value: T | null): T | undefined => value ?? undefined;

function architectureFields({ facts }: ArmModel): ModelFields {
  if (facts === null) return {};
  const { architecture, layers, kvHeads, headDim, kvBytesPerTokenBf16: cacheBytes } = facts;
  const isHybrid = architecture === 'hybrid';
  // Two bytes for each value of each KV head: latent attention keeps fewer, so equality tells it apart.
  const keepsHeads = kvHeads !== null && headDim !== null && cacheBytes === 4 * layers * kvHeads * headDim;
  return {
    is_moe: isHybrid ? undefined : architecture === 'moe',
    is_hybrid_mamba: isHybrid ? undefined : false,
    is_recurrent: isHybrid ? undefined : false,
    is_mla: keepsHeads ? false : undefined,
  };
}

/** What the quantization leaves no doubt about: only some methods have schemes, groups or a sparsity of their own. */
function quantFields(method: string | null | undefined): ModelFields {
  const none = { scheme: null, has_sparsity_config: false };
  if (method === null) return { quant_method: null, ...none, sparsity: null, group_size: null, desc_act: false };
  if (method === undefined || method === 'compressed-tensors' || method === 'gguf') return { quant_method: method };
  return { quant_method: method, ...none };
}

/** Widths of a rank's slices of the MLP of a dense model. */
function shardFields(ctx: RuleContext): ModelFields {
  const facts = ctx.models.target?.facts;
  if (facts?.architecture !== 'dense' || facts.ffn === null) return {};
  const width = Math.floor(facts.ffn / (ctx.value('tensorParallel') ?? 1));
  return { in_per_shard: width, out_per_shard: width };
}

function modelFields(ctx: RuleContext): ModelFields {
  const model = ctx.models.target;
  if (model === undefined) return {};
  const checkpoint = ctx.checkpoints.find(({ scope }) => scope === 'target');
  const container = checkpoint?.format.split(':', 1)[0];
  const { facts } = model;
  return {
    format: container === 'gguf' || container === 'safetensors' ? container : undefined,
    path: checkpoint?.repo,
    ...quantFields(quantMethod(checkpoint)),
    ...shardFields(ctx),
    ...architectureFields(model),
    ...(facts && {
      heads: facts.heads,
      kv_heads: known(facts.kvHeads),
      head_dim: known(facts.headDim),
      intermediate: known(facts.ffn),
      vocab: facts.vocab,
      max_len: known(facts.maxTokens),
      sliding_window: known(facts.slidingWindowTokens),
      tokenizer: known(facts.tokenizerFamily),
    }),
  };
}

function draftFields({ draft }: RuleContext['models']): DraftFields {
  const facts = draft?.facts;
  return facts ? { heads: facts.heads, vocab: facts.vocab, tokenizer: known(facts.tokenizerFamily) } : {};
}

function hardwareFields({ hardware: { kind, count, facts } }: RuleContext): HardwareFields {
  if (kind === 'cpu') return { vendor: 'cpu', cc: null, gpus: 0, gpus_per_node: 0 };
  const vendor = facts?.vendor ?? undefined;
  if (vendor === undefined || vendor === 'arm') return { gpus: count, gpus_per_node: count };
  const capability = known(facts?.computeCapability ?? null);
  return {
    vendor,
    cc: vendor !== 'nvidia' ? null : capability === undefined ? undefined : Math.round(Number(capability) * 10),
    rocm_arch: vendor === 'amd' ? capability : null,
    gpus: count,
    gpus_per_node: count,
  };
}

const QUANTIZE_TYPES: Readonly<Record<string, string>> = { bfloat16: 'BF16', float16: 'F16', float32: 'F32' };

function quantizeFields(ctx: RuleContext): Fields {
  const recipe = ctx.checkpoints.find(({ scope }) => scope === 'target')?.recipe;
  if (recipe?.tool !== 'llama-quantize') return {};
  const from = recipe.fromFormat.split(':')[1] ?? null;
  return { type: recipe.toType, source_type: from === null ? null : (QUANTIZE_TYPES[from] ?? from) };
}

/** An arm in the variables of the engine constraints. What the facts do not record stays out: unknown, never assumed. */
export function armContext(ctx: RuleContext): PlanContext {
  const arg = argumentsOf(ctx);
  return {
    ver: ctx.version,
    arg,
    spec: speculationOf(ctx, arg),
    env: ctx.component.env,
    req: {
      min_p: ctx.asked('minP')?.value ?? null,
      use_beam_search: (ctx.asked('beams')?.value ?? 1) > 1,
    },
    w: {
      kv_eviction: ctx.asked('sinkTokens') === null ? null : 'streaming_llm',
      tensor_parallel: ctx.asked('tensorParallel')?.value ?? null,
    },
    quantize: quantizeFields(ctx),
    model: modelFields(ctx),
    draft: draftFields(ctx.models),
    hw: hardwareFields(ctx),
  };
}

import { findModel } from '../../facts/models';
import { KV_CACHE_TYPES, type SettingValues, type SpeculationMethod } from '../../plan/settings';
import { capabilityOf, describeDevice } from '../device';
import type { Lowered, LoweringContext } from '../engine';
import { already, arg, args, caution, several, stepBudget, unsupported } from '../lower';
import { shareAfterWeights } from '../weight-memory';
import { isPytorch } from './weights';

const CLI = 'LMDeploy v0.16.0, lmdeploy/cli/utils.py';
const MESSAGES = 'LMDeploy v0.16.0, lmdeploy/messages.py';
const PARALLEL = 'LMDeploy v0.16.0, lmdeploy/turbomind/parallel_config.py';
const SPECULATION = 'LMDeploy v0.16.0, docs/en/advance/spec_decoding.md';

/** Names of --quant-policy; the numbers 4 and 8 are those that older releases know too. */
const POLICIES: Partial<Readonly<Record<SettingValues['kvCacheKeyType'], string>>> = {
  INT4: '4',
  INT8: '8',
  FP8: 'fp8',
  FP8_E5M2: 'fp8_e5m2',
};

function policyOf(type: SettingValues['kvCacheKeyType'], ctx: LoweringContext): string | Lowered {
  if (type === 'F16' || type === 'BF16') {
    const dtype = type === 'F16' ? 'float16' : 'bfloat16';
    return ctx.value('computeDtype') === dtype
      ? 'none'
      : unsupported(
          `an unquantized cache follows --dtype: ask for a compute type of ${dtype} too`,
          `${CLI}, --quant-policy`,
        );
  }
  const policy = POLICIES[type];
  if (policy === undefined) {
    const isGgml = (KV_CACHE_TYPES as readonly string[]).includes(type);
    return unsupported(
      `LMDeploy has no ${type} cache; it takes INT8, INT4 and, on pytorch, FP8`,
      `${CLI}, --quant-policy`,
      isGgml ? 'llama.cpp' : undefined,
    );
  }
  if (!policy.startsWith('fp8')) return policy;
  if (!isPytorch(ctx))
    return unsupported(
      'TurboMind refuses an FP8 cache: take the runtime pytorch, or INT8',
      `${MESSAGES}, TurbomindEngineConfig`,
    );
  const capability = capabilityOf(ctx.hardware);
  return capability !== null && capability < 89
    ? unsupported(
        `an FP8 cache needs compute capability 8.9; ${describeDevice(ctx.hardware)}`,
        'LMDeploy v0.16.0, docs/en/quantization/kv_quant.md',
      )
    : policy;
}

/** One argument covers keys and values. */
export function lowerLmdeployKvType(
  part: 'key' | 'value',
  type: SettingValues['kvCacheKeyType'],
  ctx: LoweringContext,
): Lowered {
  const beside = ctx.value(part === 'key' ? 'kvCacheValueType' : 'kvCacheKeyType');
  if (beside !== null && beside !== type) {
    return unsupported(
      `LMDeploy keeps keys and values in one type, not ${type} beside ${beside}`,
      `${CLI}, --quant-policy`,
    );
  }
  const policy = policyOf(type, ctx);
  if (typeof policy !== 'string') return policy;
  return part === 'value' && beside !== null
    ? { kind: 'carried', by: 'kvCacheKeyType' }
    : arg('--quant-policy', policy, 'keys and values');
}

/** TurboMind's kernels take pages of 32 tokens from Ampere on, of 64 before. */
export function lowerLmdeployPage(tokens: number, ctx: LoweringContext): Lowered {
  const capability = capabilityOf(ctx.hardware);
  const unit = isPytorch(ctx) ? 16 : capability !== null && capability < 80 ? 64 : 32;
  if (tokens % unit !== 0)
    return unsupported(`a page must be a multiple of ${unit} tokens here`, `${CLI}, --cache-block-seq-len`);
  if (isPytorch(ctx) && ctx.value('loraAdapters') !== null) {
    return unsupported('with LoRA adapters the page is not a choice', `${CLI}, --cache-block-seq-len`);
  }
  return arg('--cache-block-seq-len', tokens);
}

/** Largest prefill of one step where nobody says. */
const PREFILL_TOKENS = 8192;

/** TurboMind counts every token of a step; the PyTorch backend counts prompt tokens of a prefill of its own. */
export function lowerLmdeployStep(tokens: number, ctx: LoweringContext): Lowered {
  if (isPytorch(ctx)) return arg('--max-prefill-token-num', tokens, `${tokens} prompt tokens in a step of their own`);
  const budget = stepBudget(tokens, ctx);
  return args(
    { flag: '--num-tokens-per-iter', value: String(budget.tokens), note: budget.note },
    ...(budget.tokens > PREFILL_TOKENS
      ? [{ flag: '--max-prefill-token-num', value: String(budget.tokens), note: `or ${PREFILL_TOKENS} would bound it` }]
      : []),
  );
}

export function lowerLmdeployChunking(state: 'on' | 'off', ctx: LoweringContext): Lowered {
  if (state === 'off') {
    return isPytorch(ctx)
      ? unsupported(
          'the PyTorch backend cuts every prompt longer than --max-prefill-token-num',
          'LMDeploy v0.16.0, lmdeploy/pytorch/engine/inputs_maker.py',
        )
      : ctx.value('prefillTokensPerStep') === null
        ? already
        : unsupported(
            'TurboMind cuts prompts where a step has a size, and one is set',
            `${CLI}, --num-tokens-per-iter`,
          );
  }
  if (isPytorch(ctx)) return already;
  return ctx.value('prefillTokensPerStep') === null
    ? unsupported(
        'TurboMind cuts prompts where a step has a size: give the prefill tokens of a step',
        `${CLI}, --num-tokens-per-iter`,
      )
    : { kind: 'carried', by: 'prefillTokensPerStep' };
}

export function lowerLmdeployGraphs(state: 'on' | 'off', ctx: LoweringContext): Lowered {
  if (!isPytorch(ctx))
    return state === 'off' ? already : unsupported('TurboMind captures no CUDA graphs; its loop is C++', MESSAGES);
  return state === 'on' ? already : arg('--eager-mode');
}

export function lowerLmdeployGraphBatch(sequences: number, ctx: LoweringContext): Lowered {
  if (!isPytorch(ctx)) return unsupported('TurboMind captures no CUDA graphs', MESSAGES);
  if (ctx.value('cudaGraphs') === 'off') return unsupported('no batch is captured where CUDA graphs are off', MESSAGES);
  return ctx.value('maxSequences') === sequences
    ? { kind: 'carried', by: 'maxSequences' }
    : unsupported(
        'graphs are captured up to the largest batch: set as many sequences',
        `${CLI}, --cudagraph-capture-batch-sizes`,
      );
}

/** Layers that the checkpoint brings, by the family of the model. */
const MTP: readonly { models: RegExp; method: string }[] = [
  { models: /^deepseek_v3|^deepseek_v32|^kimi/, method: 'deepseek_mtp' },
  { models: /^qwen3_5/, method: 'qwen3_5_mtp' },
  { models: /^hy_?v?3/, method: 'hy3_mtp' },
];

function methodOf(method: SpeculationMethod, ctx: LoweringContext): string | Lowered {
  if (method === 'eagle' || method === 'eagle3') {
    return ctx.checkpoint('draft') === null
      ? unsupported(
          `${method} needs a draft checkpoint; connect one to the port "draft"`,
          `${CLI}, --speculative-draft-model`,
        )
      : method;
  }
  if (method !== 'mtp') {
    return unsupported(
      `LMDeploy drafts by EAGLE, EAGLE-3 and MTP only, not by ${method}`,
      `${CLI}, --speculative-algorithm`,
      'vllm',
    );
  }
  const model = ctx.checkpoint('target')?.model ?? '';
  const type = findModel(model)?.modelType ?? '';
  const found = MTP.find(({ models }) => models.test(type));
  return (
    found?.method ??
    unsupported(
      `LMDeploy has MTP for DeepSeek, Qwen3.5 and Hunyuan 3, not for ${model || 'this model'}`,
      `${CLI}, --speculative-algorithm`,
    )
  );
}

export function lowerLmdeploySpeculation(method: SpeculationMethod, ctx: LoweringContext): Lowered {
  if (method === 'off') return already;
  if (!isPytorch(ctx)) return unsupported('only the pytorch runtime speculates', SPECULATION);
  const name = methodOf(method, ctx);
  if (typeof name !== 'string') return name;
  const lowered = arg('--speculative-algorithm', name);
  const capability = capabilityOf(ctx.hardware);
  return capability === 90
    ? lowered
    : several(
        lowered,
        caution(
          'the documented path uses FlashAttention 3 (Hopper); elsewhere it is slower and less tested',
          SPECULATION,
        ),
      );
}

export function lowerLmdeployDraftTokens(tokens: number, ctx: LoweringContext): Lowered {
  return (ctx.value('speculation') ?? 'off') === 'off'
    ? unsupported('drafted tokens mean nothing without speculation', SPECULATION)
    : arg('--speculative-num-draft-tokens', tokens);
}

/** Why the ranks do not fit; null where they do. */
function tooMany(ranks: number, ctx: LoweringContext): Lowered | null {
  const { count } = ctx.hardware;
  return ranks > count
    ? unsupported(`${ranks} ranks need ${ranks} devices; there ${count === 1 ? 'is' : 'are'} ${count}`, PARALLEL)
    : null;
}

const tensor = (ctx: LoweringContext): number => ctx.value('tensorParallel') ?? 1;
const PROXY =
  'the PyTorch backend starts a server for each rank behind a proxy of its own (--proxy-url): take the runtime turbomind';

/** LMDeploy counts the ranks of attention or of the MLP, whichever are more; attention groups and experts divide ours. */
export function lowerLmdeployTensor(ranks: number, ctx: LoweringContext): Lowered {
  const refused = tooMany(ranks, ctx);
  if (refused !== null) return refused;
  const groups = ctx.value('attentionDataParallel') ?? 1;
  const experts = ctx.value('expertParallel') ?? 1;
  if (isPytorch(ctx) || groups === 1) return arg('--tp', ranks);
  const [attention, mlp] = [ranks / groups, ranks / experts];
  const most = Math.max(attention, mlp);
  if (!Number.isInteger(attention) || !Number.isInteger(mlp) || most % Math.min(attention, mlp) !== 0) {
    return unsupported(`${ranks} ranks do not divide into ${groups} attention and ${experts} expert groups`, PARALLEL);
  }
  return arg(
    '--tp',
    most,
    `the larger of attention ${ranks} ÷ ${groups} = ${attention} and MLP ${ranks} ÷ ${experts} = ${mlp}`,
  );
}

export function lowerLmdeployData(copies: number, ctx: LoweringContext): Lowered {
  if (copies === 1) return arg('--dp', 1);
  if (isPytorch(ctx)) return unsupported(PROXY, 'LMDeploy v0.16.0, lmdeploy/cli/serve.py, api_server');
  if ((ctx.value('attentionDataParallel') ?? 1) > 1)
    return unsupported('--dp counts either whole copies or attention groups: run further copies as replicas', PARALLEL);
  return tooMany(copies * tensor(ctx), ctx) ?? arg('--dp', copies, `${copies} × ${tensor(ctx)} devices`);
}

export function lowerLmdeployAttentionData(groups: number, ctx: LoweringContext): Lowered {
  if (groups === 1) return already;
  if (isPytorch(ctx)) return unsupported(PROXY, 'LMDeploy v0.16.0, lmdeploy/cli/serve.py, api_server');
  return tensor(ctx) % groups === 0
    ? arg('--dp', groups, `${tensor(ctx)} ranks ÷ ${groups} = attention over ${tensor(ctx) / groups}`)
    : unsupported(`${groups} attention groups cannot share ${tensor(ctx)} ranks evenly`, PARALLEL);
}

export function lowerLmdeployExperts(groups: number, ctx: LoweringContext): Lowered {
  if (groups > 1 && isPytorch(ctx)) return unsupported(`with experts spread over ranks, ${PROXY}`, `${CLI}, --ep`);
  return tensor(ctx) % groups === 0
    ? arg('--ep', groups, `each expert over ${tensor(ctx) / groups} of ${tensor(ctx)} ranks`)
    : unsupported(`${groups} expert groups must divide ${tensor(ctx)} ranks`, PARALLEL);
}

export function lowerLmdeployContextRanks(groups: number, ctx: LoweringContext): Lowered {
  if (groups > 1 && isPytorch(ctx)) return unsupported('only TurboMind splits a sequence over ranks', `${CLI}, --cp`);
  return tensor(ctx) % groups === 0
    ? arg('--cp', groups, `carved out of ${tensor(ctx)} tensor-parallel ranks`)
    : unsupported(`${groups} context groups must divide ${tensor(ctx)} ranks`, `${CLI}, --cp`);
}

/** The engine's share is one of the memory that weights leave free, for the cache alone. */
export function lowerLmdeployMemory(fraction: number, ctx: LoweringContext): Lowered {
  const source = `${MESSAGES}, cache_max_entry_count`;
  const free = shareAfterWeights(fraction, ctx);
  return free.ok ? arg('--cache-max-entry-count', free.share, free.note) : unsupported(free.reason, source);
}

/** One argument with several words: `--adapters a=x b=y`. */
export function lowerLmdeployAdapters(adapters: SettingValues['loraAdapters'], ctx: LoweringContext): Lowered {
  if (!isPytorch(ctx))
    return unsupported('only the pytorch runtime serves LoRA adapters', 'LMDeploy v0.16.0, lmdeploy/cli/serve.py');
  const [first, ...others] = adapters.map(({ name, source }) => `${name}=${source}`);
  const clash = adapters.find(({ name }) => name.includes('='));
  if (clash)
    return unsupported(
      `the name ${clash.name} holds a "=", which --adapters reads as a separator`,
      `${CLI}, get_lora_adapters`,
    );
  return args({ flag: '--adapters', value: first ?? '' }, ...others.map((word) => ({ flag: word, value: null })));
}

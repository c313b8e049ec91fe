import type { Scope, SettingValues } from '../plan/settings';
import { KV_CACHE_TYPES } from '../plan/settings';
import type { Lowered, LoweringContext, LoweringTable } from './engine';
import { already, arg, args, inTarget, isWeightsScope, requestField, stepBudget, unsupported } from './lower';

const SERVER_README = 'llama.cpp b10573, tools/server/README.md';
const ARG_CPP = 'llama.cpp b10573, common/arg.cpp';
const SPECULATIVE = 'llama.cpp b10573, common/speculative.cpp';
const SLOTS = 'llama.cpp b10573, src/llama-context.cpp:291-301';
const EMBEDDED = 'engines/embedded-flags';

const isEmbedded = (ctx: LoweringContext): boolean => ctx.runtime === 'embedded';

function lowerWeights(format: string, ctx: LoweringContext, scope: Scope): Lowered {
  if (!isWeightsScope(scope)) return unsupported(`llama.cpp loads no weights for the scope ${scope}`, SERVER_README);
  if (!format.startsWith('gguf:')) {
    return unsupported(
      `llama.cpp loads GGUF files only, not ${format}: convert the checkpoint or add a GGUF quantization`,
      'llama.cpp b10573, README and convert_hf_to_gguf.py',
      'vllm',
    );
  }
  const checkpoint = ctx.checkpoint(scope);
  if (checkpoint === null) return unsupported(`no file is known for ${format} of the ${scope} model`, SERVER_README);
  return arg(scope === 'target' ? '--model' : '--model-draft', checkpoint.fileName, checkpoint.format);
}

/** `--cache-type-k` and its three siblings. */
function lowerCacheType(letter: 'k' | 'v'): (type: string, ctx: LoweringContext, scope: Scope) => Lowered {
  return (type, ctx, scope) => {
    if (!(KV_CACHE_TYPES as readonly string[]).includes(type)) {
      return unsupported(`llama.cpp has no ${type} cache; it takes ${KV_CACHE_TYPES.join(', ')}`, ARG_CPP);
    }
    if (scope === 'target') return arg(`--cache-type-${letter}`, type.toLowerCase());
    if (scope !== 'draft') return unsupported(`no cache type can be set for the scope ${scope}`, ARG_CPP);
    if (isEmbedded(ctx)) return unsupported("the embedded engine keeps the draft's cache in F16", EMBEDDED);
    return arg(`--spec-draft-type-${letter}`, type.toLowerCase());
  };
}

function lowerPrefillChunk(tokens: number, ctx: LoweringContext): Lowered {
  if (isEmbedded(ctx)) {
    const note = `${tokens} prompt tokens a step; decoding sequences come on top`;
    return args(
      { flag: '--batch-size', value: String(tokens), note },
      { flag: '--ubatch-size', value: String(tokens) },
    );
  }
  const budget = stepBudget(tokens, ctx);
  return args(
    { flag: '--batch-size', value: String(budget.tokens), note: budget.note },
    { flag: '--ubatch-size', value: String(budget.tokens), note: 'the whole step in one physical batch' },
  );
}

const SPEC_TYPES = { off: 'none', 'draft-model': 'draft-simple', 'prompt-lookup': 'ngram-simple' } as const;

const isSpecType = (method: string): method is keyof typeof SPEC_TYPES => method in SPEC_TYPES;

function lowerSpeculation(method: SettingValues['speculation']): Lowered {
  return isSpecType(method)
    ? arg('--spec-type', SPEC_TYPES[method])
    : unsupported(`llama.cpp does not speculate by ${method}`, SPECULATIVE);
}

function lowerDraftTokens(tokens: number, ctx: LoweringContext): Lowered {
  switch (ctx.value('speculation')) {
    case 'draft-model':
      return arg('--spec-draft-n-max', tokens);
    case 'prompt-lookup':
      return arg('--spec-ngram-simple-size-m', tokens);
    default:
      return unsupported('drafted tokens mean nothing without speculation', SPECULATIVE);
  }
}

const ONE_LENGTH =
  'llama-server compares one length (--spec-ngram-simple-size-n): set the shortest and the longest match to the same';

/** The shortest match decides in llama-server: whatever agrees on more tokens agrees on these too. */
function lowerLookupMin(tokens: number, ctx: LoweringContext): Lowered {
  return arg(isEmbedded(ctx) ? '--spec-ngram-simple-min-match' : '--spec-ngram-simple-size-n', tokens);
}

function lowerLookupMax(tokens: number, ctx: LoweringContext): Lowered {
  if (isEmbedded(ctx)) return arg('--spec-ngram-simple-size-n', tokens);
  const min = ctx.value('promptLookupMinTokens');
  return min === tokens ? { kind: 'carried', by: 'promptLookupMinTokens' } : unsupported(ONE_LENGTH, SPECULATIVE);
}

function lowerTensorParallel(devices: number, ctx: LoweringContext): Lowered {
  if (devices === 1) return already;
  const source = 'llama.cpp b10573, docs/multi-gpu.md and src/llama-context.cpp:3580';
  if (isEmbedded(ctx)) return unsupported('the embedded engine runs on one device', EMBEDDED);
  if (devices !== ctx.hardware.count) {
    return unsupported(
      `llama-server splits tensors over every device it is given: ${ctx.hardware.count} here, not ${devices}`,
      source,
    );
  }
  return arg('--split-mode', 'tensor', `experimental; over all ${devices} devices`);
}

/** Both runtimes share this table: the embedded engine takes llama-server's flag names. */
const pending = { unsupported: 'not lowered for this engine yet', source: ARG_CPP };

export const llamaCppLowering: LoweringTable = {
  computeDtype: pending,
  weightsSparsity: pending,
  attentionBackend: pending,
  torchCompile: pending,
  cudaGraphs: pending,
  cudaGraphMaxBatch: pending,
  operatorFusion: pending,
  staticKvCache: pending,
  kvBlockTokens: pending,
  slidingWindow: pending,
  slidingWindowTokens: pending,
  kvTier: pending,
  kvTierBytes: pending,
  kvEviction: pending,
  draftTreeTopK: pending,
  draftTreeDepth: pending,
  structuredOutputBackend: pending,
  chunkedPrefill: pending,
  schedulingPolicy: pending,
  priorityHighFirst: pending,
  preemption: pending,
  batchWaitMs: pending,
  streamIntervalTokens: pending,
  metricsEndpoint: pending,
  torchProfilerFolder: pending,
  pipelineParallel: pending,
  dataParallel: pending,
  expertParallel: pending,
  attentionDataParallel: pending,
  contextParallel: pending,
  cpuOffloadBytes: pending,
  cpuExpertLayers: pending,
  deviceLayers: pending,
  loraAdapters: pending,
  loraMaxRank: pending,
  loraMaxActive: pending,
  weightsFormat: lowerWeights,
  flashAttention: inTarget('flashAttention', ARG_CPP, (state) => arg('--flash-attn', state)),
  kvCacheKeyType: lowerCacheType('k'),
  kvCacheValueType: lowerCacheType('v'),
  prefixCaching: inTarget('prefixCaching', SERVER_README, (state) =>
    arg(state === 'on' ? '--cache-prompt' : '--no-cache-prompt'),
  ),
  contextTokensPerSequence: inTarget('contextTokensPerSequence', SLOTS, (tokens, ctx) => {
    const sequences = ctx.value('maxSequences') ?? 1;
    const total = tokens * sequences;
    return arg('--ctx-size', total, `${sequences} × ${tokens} tokens a sequence = ${total}`);
  }),
  sinkTokens: inTarget('sinkTokens', ARG_CPP, (tokens) =>
    args(
      { flag: '--keep', value: String(tokens), note: 'first tokens that stay' },
      { flag: '--context-shift', value: null },
    ),
  ),
  maxSequences: inTarget('maxSequences', ARG_CPP, (sequences) =>
    sequences > 256
      ? unsupported(
          'llama.cpp decodes at most 256 sequences together (LLAMA_MAX_SEQ)',
          'llama.cpp b10573, src/llama-cparams.h',
        )
      : arg('--parallel', sequences),
  ),
  prefillTokensPerStep: inTarget('prefillTokensPerStep', SERVER_README, lowerPrefillChunk),
  threads: inTarget('threads', ARG_CPP, (threads) => arg('--threads', threads)),
  queueLimit: inTarget('queueLimit', SERVER_README, (requests, ctx) =>
    isEmbedded(ctx)
      ? arg('--queue-limit', requests)
      : unsupported(
          'llama-server holds requests in a queue without a limit: bound it in a gateway',
          'llama.cpp b10573, tools/server/server-context.cpp (deferred queue)',
        ),
  ),
  apiKeySecret: inTarget('apiKeySecret', SERVER_README, (secret) => ({
    kind: 'env',
    env: { LLAMA_API_KEY: `$${secret}` },
  })),
  speculation: inTarget('speculation', SPECULATIVE, lowerSpeculation),
  draftTokens: inTarget('draftTokens', SPECULATIVE, lowerDraftTokens),
  promptLookupMinTokens: inTarget('promptLookupMinTokens', SPECULATIVE, lowerLookupMin),
  promptLookupMaxTokens: inTarget('promptLookupMaxTokens', SPECULATIVE, lowerLookupMax),
  tensorParallel: inTarget('tensorParallel', ARG_CPP, lowerTensorParallel),
  memoryFraction: {
    unsupported:
      'llama.cpp takes no share of the memory: it reserves what weights and cache need (--fit-target leaves a margin in MiB)',
    source: ARG_CPP,
  },
  temperature: inTarget('temperature', SERVER_README, (value) => requestField('temperature', value)),
  topP: inTarget('topP', SERVER_README, (value) => requestField('top_p', value)),
  topK: inTarget('topK', SERVER_README, (value) => requestField('top_k', value)),
  minP: inTarget('minP', SERVER_README, (value) => requestField('min_p', value)),
  beams: inTarget('beams', SERVER_README, (beams) =>
    beams === 1 ? already : unsupported('llama.cpp serves no beam search; it samples one continuation', SERVER_README),
  ),
};

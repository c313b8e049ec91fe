import type { Scope } from '../plan/settings';
import type { Lowered, LoweringContext, LoweringTable } from './engine';
import { already, arg, args, inTarget, requestField, stepBudget, unsupported } from './lower';
import { isAtLeast } from './version';
import { lowerFlashAttention, lowerKvType } from './vllm-cache';
import { insideSpeculation, lowerSpeculation } from './vllm-speculation';

const ARG_UTILS = 'vLLM @017e9f4448, vllm/engine/arg_utils.py';
const SCHEDULER = 'vLLM @017e9f4448, vllm/config/scheduler.py';
const SAMPLING = 'vLLM @017e9f4448, vllm/sampling_params.py';
const CPU_DOCS = 'vLLM @017e9f4448, docs/getting_started/installation/cpu.md';

/** Schemes that vLLM applies to a plain checkpoint while it loads. */
const ONLINE = [
  'fp8',
  'fp8_per_tensor',
  'fp8_per_channel',
  'fp8_per_block',
  'mxfp8',
  'int8_per_channel_weight_only',
  'nvfp4_per_token',
];

function lowerWeights(format: string, ctx: LoweringContext, scope: Scope): Lowered {
  if (scope === 'draft') return insideSpeculation(ctx);
  if (scope !== 'target') return unsupported(`vLLM loads no weights for the scope ${scope}`, ARG_UTILS);
  if (format.startsWith('gguf:')) {
    return unsupported(
      'vLLM reads GGUF only through the plugin vllm-gguf-plugin (out of tree since about 0.24; single file, slow): use llama.cpp, or a safetensors checkpoint',
      'vLLM docs/features/quantization/gguf.md; PR vllm-project/vllm#39612',
      'llama.cpp',
    );
  }
  const checkpoint = ctx.checkpoint('target');
  if (checkpoint === null) return unsupported(`no checkpoint is known for ${format}`, ARG_UTILS);
  const name = checkpoint.repo.startsWith('bundled:') ? checkpoint.fileName : checkpoint.repo;
  const scheme = format.split(':')[1] ?? '';
  const online = checkpoint.source === 'online';
  if (online && !ONLINE.includes(scheme)) return unsupported(`vLLM cannot quantize to ${scheme} at load`, ARG_UTILS);
  return args(
    { flag: name, value: null, note: checkpoint.format },
    ...(checkpoint.revision === null ? [] : [{ flag: '--revision', value: checkpoint.revision }]),
    ...(online ? [{ flag: '--quantization', value: scheme, note: 'quantized while loading' }] : []),
  );
}

function lowerPrefillChunk(tokens: number, ctx: LoweringContext): Lowered {
  const budget = stepBudget(tokens, ctx);
  return arg('--max-num-batched-tokens', budget.tokens, budget.note);
}

function lowerThreads(threads: number, ctx: LoweringContext): Lowered {
  if (ctx.hardware.kind === 'gpu') {
    return unsupported('vLLM on a GPU computes there; threads of the host are not a setting', ARG_UTILS);
  }
  return { kind: 'env', env: { VLLM_CPU_OMP_THREADS_BIND: threads === 1 ? '0' : `0-${threads - 1}` } };
}

function lowerQueueLimit(requests: number, ctx: LoweringContext): Lowered {
  const source = 'vLLM 0.29 release notes, PR vllm-project/vllm#49445';
  if (!isAtLeast(ctx.version, '0.29')) {
    return unsupported(
      `vLLM ${ctx.version} has no bound on its queue (0.29 brings one): bound it in a gateway`,
      source,
    );
  }
  return arg('--max-num-queued-reqs', requests, 'answers 503, not 429');
}

function lowerMemoryFraction(fraction: number, ctx: LoweringContext): Lowered {
  return ctx.hardware.kind === 'cpu'
    ? unsupported('vLLM on a CPU sizes its cache in GiB (VLLM_CPU_KVCACHE_SPACE), not as a share', CPU_DOCS)
    : arg('--gpu-memory-utilization', fraction, "share of the device's whole memory");
}

function lowerTensorParallel(devices: number, ctx: LoweringContext): Lowered {
  return devices > ctx.hardware.count
    ? unsupported(
        `${devices} tensor-parallel ranks need ${devices} devices; there ${ctx.hardware.count === 1 ? 'is' : 'are'} ${ctx.hardware.count}`,
        'vLLM @017e9f4448, vllm/config/parallel.py:928',
      )
    : arg('--tensor-parallel-size', devices);
}

const pending = { unsupported: 'not lowered for this engine yet', source: ARG_UTILS };

export const vllmLowering: LoweringTable = {
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
  flashAttention: inTarget('flashAttention', ARG_UTILS, lowerFlashAttention),
  kvCacheKeyType: inTarget('kvCacheKeyType', ARG_UTILS, (type, ctx) => lowerKvType('key', type, ctx)),
  kvCacheValueType: inTarget('kvCacheValueType', ARG_UTILS, (type, ctx) => lowerKvType('value', type, ctx)),
  prefixCaching: inTarget('prefixCaching', ARG_UTILS, (state) =>
    arg(state === 'on' ? '--enable-prefix-caching' : '--no-enable-prefix-caching'),
  ),
  contextTokensPerSequence: inTarget('contextTokensPerSequence', ARG_UTILS, (tokens) =>
    arg('--max-model-len', tokens, 'of one sequence; the cache is sized from the memory left'),
  ),
  sinkTokens: {
    unsupported:
      'vLLM drops no tokens from its cache: it has no attention sinks or window other than those of the model',
    source: 'vLLM @017e9f4448, vllm/v1/core (absence)',
  },
  maxSequences: inTarget('maxSequences', SCHEDULER, (sequences) => arg('--max-num-seqs', sequences)),
  prefillTokensPerStep: inTarget('prefillTokensPerStep', SCHEDULER, lowerPrefillChunk),
  threads: inTarget('threads', CPU_DOCS, lowerThreads),
  queueLimit: inTarget('queueLimit', SCHEDULER, lowerQueueLimit),
  apiKeySecret: inTarget('apiKeySecret', ARG_UTILS, (secret) => ({ kind: 'env', env: { VLLM_API_KEY: `$${secret}` } })),
  speculation: inTarget('speculation', ARG_UTILS, lowerSpeculation),
  draftTokens: inTarget('draftTokens', ARG_UTILS, (_, ctx) => insideSpeculation(ctx)),
  promptLookupMinTokens: inTarget('promptLookupMinTokens', ARG_UTILS, (_, ctx) => insideSpeculation(ctx)),
  promptLookupMaxTokens: inTarget('promptLookupMaxTokens', ARG_UTILS, (_, ctx) => insideSpeculation(ctx)),
  tensorParallel: inTarget('tensorParallel', ARG_UTILS, lowerTensorParallel),
  memoryFraction: inTarget('memoryFraction', ARG_UTILS, lowerMemoryFraction),
  temperature: inTarget('temperature', SAMPLING, (value) => requestField('temperature', value)),
  topP: inTarget('topP', SAMPLING, (value) => requestField('top_p', value)),
  topK: inTarget('topK', SAMPLING, (value) => requestField('top_k', value)),
  minP: inTarget('minP', SAMPLING, (value) => requestField('min_p', value)),
  beams: inTarget('beams', SAMPLING, (beams) =>
    beams === 1 ? already : { kind: 'request', fields: { use_beam_search: true, n: beams } },
  ),
};

import type { LoweringTable } from '../engine';
import { already, arg, inTarget, requestField, unsupported } from '../lower';
import {
  lowerSglangAttention,
  lowerSglangFlashAttention,
  lowerSglangKvType,
  lowerSglangPrefixCaching,
  lowerSglangTier,
  lowerSglangTierBytes,
} from './cache';
import {
  lowerSglangAttentionData,
  lowerSglangContextRanks,
  lowerSglangData,
  lowerSglangExperts,
  lowerSglangMemory,
  lowerSglangOffload,
  lowerSglangPipeline,
  lowerSglangTensor,
  lowerSglangThreads,
} from './parallel';
import {
  lowerSglangAdapterLimit,
  lowerSglangAdapters,
  lowerSglangChunk,
  lowerSglangChunking,
  lowerSglangCompile,
  lowerSglangFusion,
  lowerSglangGrammar,
  lowerSglangGraphBatch,
  lowerSglangGraphs,
  lowerSglangPolicy,
  lowerSglangPreemption,
  lowerSglangPriorityOrder,
  lowerSglangQueue,
  lowerSglangSequences,
  lowerSglangWait,
} from './serving';
import {
  lowerSglangDraftTokens,
  lowerSglangLookupMax,
  lowerSglangLookupMin,
  lowerSglangSpeculation,
  lowerSglangTree,
} from './speculation';
import { lowerSglangSparsity, lowerSglangWeights } from './weights';

const ARGS = 'SGLang v0.5.18, python/sglang/srt/server_args.py';
const POOL = 'SGLang v0.5.18, python/sglang/srt/mem_cache';
const SAMPLING = 'SGLang v0.5.18, python/sglang/srt/entrypoints/openai/protocol.py';

export const sglangLowering: LoweringTable = {
  weightsFormat: lowerSglangWeights,
  computeDtype: inTarget('computeDtype', ARGS, (dtype) => arg('--dtype', dtype)),
  weightsSparsity: inTarget('weightsSparsity', ARGS, lowerSglangSparsity),

  flashAttention: inTarget('flashAttention', ARGS, lowerSglangFlashAttention),
  attentionBackend: lowerSglangAttention,
  torchCompile: inTarget('torchCompile', ARGS, lowerSglangCompile),
  cudaGraphs: inTarget('cudaGraphs', ARGS, lowerSglangGraphs),
  cudaGraphMaxBatch: inTarget('cudaGraphMaxBatch', ARGS, lowerSglangGraphBatch),
  operatorFusion: inTarget('operatorFusion', ARGS, lowerSglangFusion),

  kvCacheKeyType: (type, ctx, scope) => lowerSglangKvType('key', type, ctx, scope),
  kvCacheValueType: (type, ctx, scope) => lowerSglangKvType('value', type, ctx, scope),
  prefixCaching: inTarget('prefixCaching', ARGS, lowerSglangPrefixCaching),
  staticKvCache: inTarget('staticKvCache', POOL, (state) =>
    state === 'off'
      ? already
      : unsupported('SGLang keeps its cache in pages; there is no buffer of fixed length', POOL),
  ),
  kvBlockTokens: inTarget('kvBlockTokens', ARGS, (tokens) =>
    arg('--page-size', tokens, tokens === 1 ? undefined : 'prefixes are shared in whole pages'),
  ),
  slidingWindow: inTarget('slidingWindow', POOL, (state) =>
    state === 'on'
      ? already
      : arg('--disable-hybrid-swa-memory', null, 'one pool: layers with a window keep every token'),
  ),
  slidingWindowTokens: {
    unsupported: 'SGLang follows the windows of the model and imposes none on it',
    source: `${ARGS} (absence)`,
  },
  kvTier: inTarget('kvTier', POOL, lowerSglangTier),
  kvTierBytes: inTarget('kvTierBytes', POOL, lowerSglangTierBytes),
  kvEviction: {
    unsupported: 'SGLang drops no tokens of a running sequence by importance; HiSparse selects, but keeps them all',
    source: 'SGLang v0.5.18, docs (absence)',
  },
  contextTokensPerSequence: inTarget('contextTokensPerSequence', ARGS, (tokens) =>
    arg('--context-length', tokens, 'of one sequence; the pool is sized from the memory left'),
  ),
  sinkTokens: {
    unsupported: 'SGLang drops no tokens from a running sequence: it has the sinks and windows of the model only',
    source: 'SGLang v0.5.18, docs (absence)',
  },
  maxSequences: inTarget('maxSequences', ARGS, lowerSglangSequences),
  prefillTokensPerStep: inTarget('prefillTokensPerStep', ARGS, lowerSglangChunk),
  threads: inTarget('threads', ARGS, lowerSglangThreads),
  queueLimit: inTarget('queueLimit', ARGS, lowerSglangQueue),
  apiKeySecret: inTarget('apiKeySecret', ARGS, (secret) =>
    arg('--api-key', `$${secret}`, 'no environment variable does it: it shows in the list of processes'),
  ),

  speculation: inTarget('speculation', ARGS, lowerSglangSpeculation),
  draftTokens: inTarget('draftTokens', ARGS, lowerSglangDraftTokens),
  promptLookupMinTokens: inTarget('promptLookupMinTokens', ARGS, lowerSglangLookupMin),
  promptLookupMaxTokens: inTarget('promptLookupMaxTokens', ARGS, lowerSglangLookupMax),
  draftTreeTopK: inTarget('draftTreeTopK', ARGS, (topK, ctx) => lowerSglangTree('draftTreeTopK', topK, ctx)),
  draftTreeDepth: inTarget('draftTreeDepth', ARGS, (depth, ctx) => lowerSglangTree('draftTreeDepth', depth, ctx)),
  structuredOutputBackend: inTarget('structuredOutputBackend', ARGS, lowerSglangGrammar),

  chunkedPrefill: inTarget('chunkedPrefill', ARGS, lowerSglangChunking),
  schedulingPolicy: inTarget('schedulingPolicy', ARGS, lowerSglangPolicy),
  priorityHighFirst: inTarget('priorityHighFirst', ARGS, lowerSglangPriorityOrder),
  preemption: inTarget('preemption', ARGS, lowerSglangPreemption),
  batchWaitMs: inTarget('batchWaitMs', ARGS, lowerSglangWait),
  streamIntervalTokens: inTarget('streamIntervalTokens', ARGS, (tokens) => arg('--stream-interval', tokens)),
  metricsEndpoint: inTarget('metricsEndpoint', ARGS, (state) => (state === 'on' ? arg('--enable-metrics') : already)),
  torchProfilerFolder: inTarget('torchProfilerFolder', ARGS, (folder) => ({
    kind: 'env',
    env: { SGLANG_TORCH_PROFILER_DIR: folder },
  })),

  tensorParallel: (ranks, ctx, scope) =>
    scope === 'draft'
      ? ranks === (ctx.value('tensorParallel') ?? 1)
        ? { kind: 'carried', by: 'tensorParallel' }
        : unsupported(
            'the draft is split over the same ranks as the target',
            'SGLang v0.5.18, python/sglang/srt/speculative',
          )
      : scope === 'target'
        ? lowerSglangTensor(ranks, ctx)
        : unsupported(`tensorParallel cannot be set for the ${scope} model`, ARGS),
  pipelineParallel: inTarget('pipelineParallel', ARGS, lowerSglangPipeline),
  dataParallel: inTarget('dataParallel', ARGS, lowerSglangData),
  expertParallel: inTarget('expertParallel', ARGS, lowerSglangExperts),
  attentionDataParallel: inTarget('attentionDataParallel', ARGS, lowerSglangAttentionData),
  contextParallel: inTarget('contextParallel', ARGS, lowerSglangContextRanks),
  cpuOffloadBytes: inTarget('cpuOffloadBytes', ARGS, lowerSglangOffload),
  cpuExpertLayers: {
    unsupported:
      'its KTransformers path counts experts of every layer and needs weights of its own (--kt-num-gpu-experts, --kt-weight-path), not layers',
    source: `${ARGS}, --kt-*`,
  },
  deviceLayers: {
    unsupported: 'SGLang keeps every layer on its device; bytes of weights can be offloaded instead (--cpu-offload-gb)',
    source: ARGS,
  },

  loraAdapters: inTarget('loraAdapters', ARGS, lowerSglangAdapters),
  loraMaxRank: inTarget('loraMaxRank', ARGS, (rank, ctx) => lowerSglangAdapterLimit('--max-lora-rank', rank, ctx)),
  loraMaxActive: inTarget('loraMaxActive', ARGS, (n, ctx) => lowerSglangAdapterLimit('--max-loras-per-batch', n, ctx)),

  memoryFraction: inTarget('memoryFraction', ARGS, lowerSglangMemory),
  temperature: inTarget('temperature', SAMPLING, (value) => requestField('temperature', value)),
  topP: inTarget('topP', SAMPLING, (value) => requestField('top_p', value)),
  topK: inTarget('topK', SAMPLING, (value) => requestField('top_k', value)),
  minP: inTarget('minP', SAMPLING, (value) => requestField('min_p', value)),
  beams: inTarget('beams', SAMPLING, (beams) =>
    beams === 1
      ? already
      : unsupported('SGLang serves no beam search; n samples several continuations', SAMPLING, 'vllm'),
  ),
};

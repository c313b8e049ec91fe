import type { LoweringTable } from '../engine';
import { already, arg, configEntries, inTarget, requestField } from '../lower';
import {
  lowerTensorrtEviction,
  lowerTensorrtKvType,
  lowerTensorrtMemory,
  lowerTensorrtSlidingWindow,
  lowerTensorrtTier,
  lowerTensorrtTierBytes,
  lowerTensorrtWindow,
} from './cache';
import * as serving from './serving';
import {
  insideTensorrtSpeculation,
  lowerTensorrtDepth,
  lowerTensorrtLookup,
  lowerTensorrtSpeculation,
  lowerTensorrtTree,
} from './speculation';
import { lowerTensorrtDtype, lowerTensorrtSparsity, lowerTensorrtWeights } from './weights';

const LLM_ARGS = 'TensorRT-LLM @00043967, tensorrt_llm/llmapi/llm_args.py';
const SERVE = 'TensorRT-LLM @00209af1, tensorrt_llm/commands/serve.py';
const PROTOCOL = 'TensorRT-LLM, tensorrt_llm/serve/openai_protocol.py';
const PROFILE = 'TensorRT-LLM, docs/source/developer-guide/perf-analysis.md';

/** PyTorch backend. Launch flags where the server has them, else entries of the YAML file. */
export const tensorrtLowering: LoweringTable = {
  weightsFormat: lowerTensorrtWeights,
  computeDtype: inTarget('computeDtype', LLM_ARGS, lowerTensorrtDtype),
  weightsSparsity: inTarget('weightsSparsity', LLM_ARGS, lowerTensorrtSparsity),

  flashAttention: serving.FLASH_REFUSAL,
  attentionBackend: inTarget('attentionBackend', LLM_ARGS, serving.lowerTensorrtAttention),
  torchCompile: inTarget('torchCompile', LLM_ARGS, serving.lowerTensorrtCompile),
  cudaGraphs: inTarget('cudaGraphs', LLM_ARGS, serving.lowerTensorrtGraphs),
  cudaGraphMaxBatch: inTarget('cudaGraphMaxBatch', LLM_ARGS, serving.lowerTensorrtGraphBatch),
  operatorFusion: inTarget('operatorFusion', LLM_ARGS, serving.lowerTensorrtFusion),

  kvCacheKeyType: inTarget('kvCacheKeyType', LLM_ARGS, (type, ctx) => lowerTensorrtKvType('key', type, ctx)),
  kvCacheValueType: inTarget('kvCacheValueType', LLM_ARGS, (type, ctx) => lowerTensorrtKvType('value', type, ctx)),
  prefixCaching: inTarget('prefixCaching', LLM_ARGS, (state) =>
    configEntries({ 'kv_cache_config.enable_block_reuse': state === 'on' }),
  ),
  staticKvCache: inTarget('staticKvCache', LLM_ARGS, (state) =>
    state === 'off'
      ? already
      : {
          kind: 'unsupported',
          reason: 'the cache is always in pages; no sequence has a buffer of its own',
          source: LLM_ARGS,
        },
  ),
  kvBlockTokens: inTarget('kvBlockTokens', LLM_ARGS, (tokens) =>
    configEntries({ 'kv_cache_config.tokens_per_block': tokens }),
  ),
  slidingWindow: inTarget('slidingWindow', LLM_ARGS, lowerTensorrtSlidingWindow),
  slidingWindowTokens: inTarget('slidingWindowTokens', LLM_ARGS, lowerTensorrtWindow),
  kvTier: inTarget('kvTier', LLM_ARGS, lowerTensorrtTier),
  kvTierBytes: inTarget('kvTierBytes', LLM_ARGS, lowerTensorrtTierBytes),
  kvEviction: inTarget('kvEviction', LLM_ARGS, lowerTensorrtEviction),
  contextTokensPerSequence: inTarget('contextTokensPerSequence', SERVE, (tokens) =>
    arg('--max_seq_len', tokens, 'prompt and output of one sequence; the cache is sized from the memory left'),
  ),
  sinkTokens: {
    unsupported: 'StreamingLLM sinks are ignored by the PyTorch backend (sink_token_length is deprecated)',
    source: `${LLM_ARGS}, KvCacheConfig.sink_token_length`,
  },
  maxSequences: inTarget('maxSequences', SERVE, (sequences) => arg('--max_batch_size', sequences)),
  prefillTokensPerStep: inTarget('prefillTokensPerStep', SERVE, serving.lowerTensorrtStep),
  threads: { unsupported: 'it computes on the GPU; threads of the host are not a setting', source: LLM_ARGS },
  queueLimit: {
    unsupported: 'trtllm-serve holds requests in a queue without a limit: bound it in a gateway',
    source: `${SERVE} (absence)`,
  },
  apiKeySecret: {
    unsupported: 'trtllm-serve asks for no key: ask for one in a gateway',
    source: `${SERVE} (absence)`,
  },

  speculation: inTarget('speculation', LLM_ARGS, lowerTensorrtSpeculation),
  draftTokens: inTarget('draftTokens', LLM_ARGS, (_, ctx) => insideTensorrtSpeculation(ctx)),
  promptLookupMinTokens: inTarget('promptLookupMinTokens', LLM_ARGS, (tokens, ctx) =>
    lowerTensorrtLookup('min', tokens, ctx),
  ),
  promptLookupMaxTokens: inTarget('promptLookupMaxTokens', LLM_ARGS, (tokens, ctx) =>
    lowerTensorrtLookup('max', tokens, ctx),
  ),
  draftTreeTopK: inTarget('draftTreeTopK', LLM_ARGS, lowerTensorrtTree),
  draftTreeDepth: inTarget('draftTreeDepth', LLM_ARGS, (depth, ctx) => lowerTensorrtDepth(depth, ctx)),
  structuredOutputBackend: inTarget('structuredOutputBackend', LLM_ARGS, serving.lowerTensorrtStructured),

  chunkedPrefill: inTarget('chunkedPrefill', LLM_ARGS, (state) =>
    configEntries({ enable_chunked_prefill: state === 'on' }),
  ),
  schedulingPolicy: inTarget('schedulingPolicy', LLM_ARGS, serving.lowerTensorrtPolicy),
  priorityHighFirst: inTarget('priorityHighFirst', LLM_ARGS, serving.lowerTensorrtPriority),
  preemption: inTarget('preemption', LLM_ARGS, serving.lowerTensorrtPreemption),
  batchWaitMs: inTarget('batchWaitMs', LLM_ARGS, (ms) => configEntries({ batch_wait_timeout_ms: ms })),
  streamIntervalTokens: inTarget('streamIntervalTokens', LLM_ARGS, (tokens) =>
    configEntries({ stream_interval: tokens }),
  ),
  metricsEndpoint: inTarget('metricsEndpoint', LLM_ARGS, (state) =>
    configEntries({ return_perf_metrics: state === 'on', enable_iter_perf_stats: state === 'on' }),
  ),
  torchProfilerFolder: inTarget('torchProfilerFolder', PROFILE, serving.lowerTensorrtProfiler),

  tensorParallel: inTarget('tensorParallel', SERVE, (ranks, ctx) =>
    serving.lowerTensorrtRanks('--tp_size', ranks, ctx),
  ),
  pipelineParallel: inTarget('pipelineParallel', SERVE, (ranks, ctx) =>
    serving.lowerTensorrtRanks('--pp_size', ranks, ctx),
  ),
  dataParallel: inTarget('dataParallel', SERVE, (copies) =>
    copies === 1
      ? already
      : {
          kind: 'unsupported',
          reason: 'one server holds one copy of the model: run replicas behind a router',
          source: `${SERVE} (absence)`,
        },
  ),
  expertParallel: inTarget('expertParallel', SERVE, serving.lowerTensorrtExperts),
  attentionDataParallel: inTarget('attentionDataParallel', LLM_ARGS, serving.lowerTensorrtAttentionData),
  contextParallel: inTarget('contextParallel', LLM_ARGS, serving.lowerTensorrtContextParallel),
  cpuOffloadBytes: {
    unsupported:
      'the PyTorch backend keeps all weights on the device (weight streaming was of the TensorRT engine path)',
    source: `${LLM_ARGS} (absence)`,
  },
  cpuExpertLayers: { unsupported: 'experts do not run on the CPU', source: `${LLM_ARGS} (absence)` },
  deviceLayers: { unsupported: 'every layer runs on the device', source: `${LLM_ARGS} (absence)` },

  loraAdapters: inTarget('loraAdapters', LLM_ARGS, serving.lowerTensorrtAdapters),
  loraMaxRank: inTarget('loraMaxRank', LLM_ARGS, (rank) => configEntries({ 'lora_config.max_lora_rank': rank })),
  loraMaxActive: inTarget('loraMaxActive', LLM_ARGS, serving.lowerTensorrtActiveAdapters),

  memoryFraction: inTarget('memoryFraction', LLM_ARGS, lowerTensorrtMemory),
  temperature: inTarget('temperature', PROTOCOL, (value) => requestField('temperature', value)),
  topP: inTarget('topP', PROTOCOL, (value) => requestField('top_p', value)),
  topK: inTarget('topK', PROTOCOL, (value) => requestField('top_k', value)),
  minP: inTarget('minP', PROTOCOL, (value) => requestField('min_p', value)),
  beams: inTarget('beams', PROTOCOL, serving.lowerTensorrtBeams),
};

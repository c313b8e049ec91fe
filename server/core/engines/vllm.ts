import { findHardware } from '../facts/hardware';
import type { Engine } from './engine';
import { flagTableSchema } from './flag';
import flagTable from './flags/vllm.json';
import { vllmLowering } from './vllm/lowering';
import { vllmPools } from './vllm/pools';

const ARG_UTILS = 'vLLM @017e9f4448, vllm/engine/arg_utils.py';

export const vllm: Engine = {
  id: 'vllm',
  title: 'vLLM',
  runtimes: [],
  versions: {
    readFrom: '0.28.0',
    readTo: '0.28.0',
    pinned: '0.28.0',
    source: 'vllm-project/vllm @017e9f4448b700e85ee16023287b025693c72b9e, where 0.28 was cut',
  },
  command: () => ['vllm', 'serve'],
  image: ({ hardware, version }) => {
    const tag = version.startsWith('v') ? version : `v${version}`;
    if (hardware.kind === 'cpu') return `vllm/vllm-openai-cpu:${tag}`;
    return findHardware(hardware.id)?.vendor === 'amd' ? `vllm/vllm-openai-rocm:${tag}` : `vllm/vllm-openai:${tag}`;
  },
  port: 8000,
  healthPath: '/health',
  metricsPath: '/metrics',
  metricNames: {
    running: 'vllm:num_requests_running',
    waiting: 'vllm:num_requests_waiting',
    kvUsage: 'vllm:kv_cache_usage_perc',
    draftTokens: 'vllm:spec_decode_num_draft_tokens_total',
    acceptedTokens: 'vllm:spec_decode_num_accepted_tokens_total',
    promptTokens: 'vllm:prompt_tokens_total',
    cachedTokens: 'vllm:prompt_tokens_cached_total',
    generatedTokens: 'vllm:generation_tokens_total',
    preemptions: 'vllm:num_preemptions_total',
  },
  weightFormats: ['safetensors'],
  defaults: ({ modelMaxTokens }) => ({
    prefixCaching: { value: 'on', source: `${ARG_UTILS}, --enable-prefix-caching` },
    speculation: { value: 'off', source: `${ARG_UTILS}, --speculative-config` },
    promptLookupMinTokens: { value: 5, source: 'vLLM @017e9f4448, vllm/config/speculative.py:826' },
    promptLookupMaxTokens: { value: 5, source: 'vLLM @017e9f4448, vllm/config/speculative.py:826' },
    tensorParallel: { value: 1, source: `${ARG_UTILS}, --tensor-parallel-size` },
    memoryFraction: { value: 0.92, source: `${ARG_UTILS}, --gpu-memory-utilization` },
    staticKvCache: { value: 'off', source: 'vLLM @017e9f4448, vllm/v1/core/kv_cache_manager.py: pages always' },
    slidingWindow: { value: 'on', source: `${ARG_UTILS}, --disable-hybrid-kv-cache-manager` },
    chunkedPrefill: { value: 'on', source: `${ARG_UTILS}, --enable-chunked-prefill` },
    schedulingPolicy: { value: 'first-come', source: `${ARG_UTILS}, --scheduling-policy` },
    priorityHighFirst: { value: false, source: 'vLLM @017e9f4448, vllm/v1/core/sched/request_queue.py' },
    preemption: { value: 'recompute', source: 'vLLM @017e9f4448, vllm/v1/core/sched/scheduler.py' },
    batchWaitMs: { value: 0, source: 'vLLM @017e9f4448, vllm/v1/core/sched/scheduler.py: continuous batching' },
    streamIntervalTokens: { value: 1, source: `${ARG_UTILS}, --stream-interval` },
    metricsEndpoint: { value: 'on', source: `${ARG_UTILS}, --disable-log-stats` },
    draftTreeTopK: { value: 1, source: 'vLLM @017e9f4448, vllm/config/speculative.py: chains only' },
    pipelineParallel: { value: 1, source: `${ARG_UTILS}, --pipeline-parallel-size` },
    dataParallel: { value: 1, source: `${ARG_UTILS}, --data-parallel-size` },
    expertParallel: { value: 1, source: `${ARG_UTILS}, --enable-expert-parallel` },
    contextParallel: { value: 1, source: `${ARG_UTILS}, --decode-context-parallel-size` },
    beams: { value: 1, source: 'vLLM @017e9f4448, vllm/sampling_params.py' },
    ...(modelMaxTokens === null
      ? {}
      : {
          contextTokensPerSequence: { value: modelMaxTokens, source: `${ARG_UTILS}, --max-model-len: from the model` },
        }),
  }),
  lowering: vllmLowering,
  pools: vllmPools,
  flags: flagTableSchema.parse(flagTable),
  failures: [
    {
      pattern:
        /CUDA out of memory|OutOfMemoryError|No available memory for the cache blocks|Free memory on device .* is less than/i,
      code: 'out-of-memory',
      message: 'Weights or cache do not fit into the memory: lower the sequences, the step budget or the memory share.',
      setting: 'memoryFraction',
    },
    {
      pattern:
        /max seq len .* is larger than the maximum number of tokens|KV cache is needed, which is larger than the available/i,
      code: 'context-does-not-fit',
      message: 'The cache cannot hold one sequence of this length.',
      setting: 'contextTokensPerSequence',
    },
    {
      pattern: /max_model_len .* is greater than the derived max_model_len/i,
      code: 'context-above-model',
      message: 'The context is longer than the model was made for.',
      setting: 'contextTokensPerSequence',
    },
    {
      pattern: /address already in use|EADDRINUSE/i,
      code: 'port-in-use',
      message: 'The port is taken by another process.',
      setting: null,
    },
    {
      pattern: /unrecognized arguments|invalid choice|error: argument --/i,
      code: 'unknown-flag',
      message: 'This version of vLLM does not know one of the arguments.',
      setting: null,
    },
    {
      pattern: /kv.?cache.?dtype.*(not supported|unsupported)|not support(ed)? .*kv.?cache.?dtype/i,
      code: 'kv-type-unknown',
      message: 'No attention backend here reads a cache of this type.',
      setting: 'kvCacheKeyType',
    },
    {
      pattern: /same vocabulary size|draft .*vocab/i,
      code: 'draft-tokenizer-mismatch',
      message: 'The draft has another vocabulary than the target.',
      setting: 'speculation',
    },
    {
      pattern:
        /is not a valid model identifier|does not appear to have a file named|RepositoryNotFoundError|GatedRepoError|Cannot find model/i,
      code: 'model-load-failed',
      message: 'The checkpoint could not be loaded: unknown repository, no access, or files that are missing.',
      setting: 'weightsFormat',
    },
  ],
};

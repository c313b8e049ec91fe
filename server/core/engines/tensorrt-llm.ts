import type { Engine } from './engine';
import { flagTableSchema } from './flag';
import flagTable from './flags/tensorrt-llm.json';
import { TENSORRT_FAILURES } from './tensorrt-llm/failures';
import { tensorrtLowering } from './tensorrt-llm/lowering';
import { tensorrtLlmPools } from './tensorrt-llm/pools';

const LLM_ARGS = 'TensorRT-LLM @00043967, tensorrt_llm/llmapi/llm_args.py';
const SERVE = 'TensorRT-LLM @00209af1, tensorrt_llm/commands/serve.py';

/** The PyTorch backend of trtllm-serve. The engine builder of earlier releases is not here: its last release is 1.2. */
export const tensorrtLlm: Engine = {
  id: 'tensorrt-llm',
  title: 'TensorRT-LLM',
  runtimes: [],
  versions: {
    readFrom: '1.2.1',
    readTo: '1.3.0rc24',
    pinned: '1.2.1',
    source:
      'NVIDIA/TensorRT-LLM: llm_args.py @0004396720054fd8e205cbf616f21f0b57c6b412 (main after 1.3.0rc24), serve.py @00209af149e7774406881a37283dce303571eb11',
  },
  command: () => ['trtllm-serve'],
  image: ({ hardware, version }) =>
    hardware.kind === 'cpu' ? null : `nvcr.io/nvidia/tensorrt-llm/release:${version.replace(/^v/, '')}`,
  port: 8000,
  healthPath: '/health',
  /** Text for Prometheus; `/metrics` is JSON of iterations. Both are there with `return_perf_metrics` only. */
  metricsPath: '/prometheus/metrics',
  metricNames: {
    running: 'trtllm_num_requests_running',
    waiting: 'trtllm_num_requests_waiting',
    kvUsage: 'trtllm_kv_cache_utilization',
    draftTokens: 'trtllm_spec_decode_num_draft_tokens_total',
    acceptedTokens: 'trtllm_spec_decode_num_accepted_tokens_total',
    promptTokens: 'trtllm_prompt_tokens_total',
    cachedTokens: 'trtllm_prompt_cached_tokens_total',
    generatedTokens: 'trtllm_generation_tokens_total',
  },
  weightFormats: ['safetensors'],
  defaults: ({ modelMaxTokens }) => ({
    attentionBackend: { value: 'trtllm', source: `${LLM_ARGS}, attn_backend` },
    torchCompile: { value: 'off', source: `${LLM_ARGS}, torch_compile_config` },
    cudaGraphs: { value: 'on', source: `${LLM_ARGS}, cuda_graph_config` },
    prefixCaching: { value: 'on', source: `${LLM_ARGS}, kv_cache_config.enable_block_reuse` },
    staticKvCache: { value: 'off', source: `${LLM_ARGS}, kv_cache_config` },
    kvBlockTokens: { value: 32, source: `${LLM_ARGS}, kv_cache_config.tokens_per_block` },
    slidingWindow: { value: 'on', source: `${LLM_ARGS}, kv_cache_config.max_attention_window` },
    maxSequences: { value: 2048, source: `${LLM_ARGS}, max_batch_size` },
    chunkedPrefill: { value: 'off', source: `${LLM_ARGS}, enable_chunked_prefill` },
    schedulingPolicy: { value: 'first-come', source: `${LLM_ARGS}, scheduler_config.waiting_queue_policy` },
    preemption: { value: 'never', source: `${LLM_ARGS}, scheduler_config.capacity_scheduler_policy` },
    batchWaitMs: { value: 0, source: `${LLM_ARGS}, batch_wait_timeout_ms` },
    streamIntervalTokens: { value: 1, source: `${LLM_ARGS}, stream_interval` },
    metricsEndpoint: { value: 'off', source: `${LLM_ARGS}, return_perf_metrics` },
    speculation: { value: 'off', source: `${LLM_ARGS}, speculative_config` },
    promptLookupMinTokens: { value: 1, source: `${LLM_ARGS}, NGramDecodingConfig` },
    promptLookupMaxTokens: { value: 2, source: `${LLM_ARGS}, NGramDecodingConfig.max_matching_ngram_size` },
    draftTreeTopK: { value: 1, source: `${LLM_ARGS}, use_dynamic_tree` },
    tensorParallel: { value: 1, source: `${SERVE}, --tp_size` },
    pipelineParallel: { value: 1, source: `${SERVE}, --pp_size` },
    dataParallel: { value: 1, source: `${SERVE} (absence)` },
    contextParallel: { value: 1, source: `${SERVE}, --cp_size` },
    attentionDataParallel: { value: 1, source: `${LLM_ARGS}, enable_attention_dp` },
    loraMaxRank: { value: 64, source: `${LLM_ARGS}, lora_config.max_lora_rank` },
    loraMaxActive: { value: 4, source: `${LLM_ARGS}, lora_config.max_loras` },
    beams: { value: 1, source: `${SERVE}, --max_beam_width` },
    ...(modelMaxTokens === null
      ? {}
      : { contextTokensPerSequence: { value: modelMaxTokens, source: `${SERVE}, --max_seq_len: from the model` } }),
  }),
  lowering: tensorrtLowering,
  pools: tensorrtLlmPools,
  configFile: { path: '/etc/inferloom/tensorrt-llm.yaml', flag: '--config', format: 'yaml' },
  flags: flagTableSchema.parse(flagTable),
  failures: TENSORRT_FAILURES,
};

import { describe, expect, it } from 'vitest';
import { tensorrtLlm } from '@/server/core/engines/tensorrt-llm';
import type { Scope, SettingName } from '@/server/core/plan/settings';
import { checkpoint, lowerShort, type Situation } from '@/test/fixtures/lowering-context';

const llama = checkpoint({
  model: 'Llama-3.1-8B',
  repo: 'meta-llama/Llama-3.1-8B-Instruct',
  format: 'safetensors:bfloat16',
  fileName: 'meta-llama/Llama-3.1-8B-Instruct',
});
const draft = checkpoint({
  scope: 'draft',
  repo: 'yuhuili/EAGLE3-LLaMA3.1-Instruct-8B',
  format: 'safetensors:bfloat16',
});
const on = (id: string, count = 1, version = '1.2.1'): Situation => ({
  version,
  checkpoints: [llama, draft],
  hardware: { kind: 'gpu', id, count },
});
const h100 = on('H100-SXM');
const eight = on('B200-SXM', 8);
const cpu: Situation = { ...h100, hardware: { kind: 'cpu', id: 'cpu-local', count: 1 } };
const as = (format: string, situation: Situation = h100): Situation => ({
  ...situation,
  checkpoints: [{ ...llama, repo: 'org/model', format }, draft],
});
const lower = (name: SettingName, value: unknown, situation: Situation = h100, scope: Scope = 'target'): string =>
  lowerShort(tensorrtLlm, name, value as never, situation, scope);
const withValues = (values: Situation['values'], situation: Situation = h100): Situation => ({ ...situation, values });

describe('TensorRT-LLM', () => {
  it.each<[SettingName, unknown, string]>([
    ['computeDtype', 'bfloat16', 'dtype: "bfloat16"'],
    ['attentionBackend', 'trtllm', 'attn_backend: "TRTLLM"'],
    ['attentionBackend', 'flashinfer', 'attn_backend: "FLASHINFER"'],
    ['torchCompile', 'on', 'torch_compile_config.enable_fullgraph: true'],
    ['torchCompile', 'off', 'torch_compile_config: null'],
    ['cudaGraphs', 'on', 'cuda_graph_config.max_batch_size: 128'],
    ['cudaGraphs', 'off', 'cuda_graph_config: null'],
    ['cudaGraphMaxBatch', 256, 'cuda_graph_config.max_batch_size: 256'],
    ['kvCacheKeyType', 'FP8', 'kv_cache_config.dtype: "fp8"'],
    ['kvCacheKeyType', 'BF16', 'kv_cache_config.dtype: "bfloat16"'],
    ['prefixCaching', 'on', 'kv_cache_config.enable_block_reuse: true'],
    ['prefixCaching', 'off', 'kv_cache_config.enable_block_reuse: false'],
    ['staticKvCache', 'off', ''],
    ['kvBlockTokens', 64, 'kv_cache_config.tokens_per_block: 64'],
    ['slidingWindow', 'on', ''],
    ['slidingWindowTokens', 4096, 'kv_cache_config.max_attention_window: [4096]'],
    ['contextTokensPerSequence', 8192, '--max_seq_len 8192'],
    ['maxSequences', 64, '--max_batch_size 64'],
    ['prefillTokensPerStep', 4096, '--max_num_tokens 4096'],
    ['speculation', 'off', ''],
    ['structuredOutputBackend', 'xgrammar', 'guided_decoding_backend: "xgrammar"'],
    ['structuredOutputBackend', 'guidance', 'guided_decoding_backend: "llguidance"'],
    ['chunkedPrefill', 'on', 'enable_chunked_prefill: true'],
    ['schedulingPolicy', 'first-come', ''],
    ['preemption', 'recompute', 'scheduler_config.capacity_scheduler_policy: "MAX_UTILIZATION"'],
    ['preemption', 'never', 'scheduler_config.capacity_scheduler_policy: "GUARANTEED_NO_EVICT"'],
    ['batchWaitMs', 5, 'batch_wait_timeout_ms: 5'],
    ['streamIntervalTokens', 4, 'stream_interval: 4'],
    ['metricsEndpoint', 'on', 'return_perf_metrics: true, enable_iter_perf_stats: true'],
    ['torchProfilerFolder', '/traces/', 'TLLM_TORCH_PROFILE_TRACE=/traces/trace.json TLLM_PROFILE_START_STOP=100-150'],
    ['dataParallel', 1, ''],
    ['attentionDataParallel', 1, 'enable_attention_dp: false'],
    ['contextParallel', 1, ''],
    ['loraMaxRank', 16, 'lora_config.max_lora_rank: 16'],
    ['loraMaxActive', 4, 'lora_config.max_loras: 4, lora_config.max_cpu_loras: 4'],
    ['temperature', 0.7, '{"temperature":0.7}'],
    ['topK', 40, '{"top_k":40}'],
    ['minP', 0.1, '{"min_p":0.1}'],
    ['beams', 4, '--max_beam_width 4 | {"use_beam_search":true,"best_of":4,"n":1}'],
  ])('%s %s → %s', (name, value, words) => {
    expect(lower(name, value)).toBe(words);
  });

  it.each<[SettingName, unknown, Situation, RegExp]>([
    ['flashAttention', 'on', h100, /no choice of FlashAttention/],
    ['attentionBackend', 'flash-attention-3', h100, /no choice of FlashAttention.*no flash-attention-3/],
    ['attentionBackend', 'triton', h100, /there is no triton/],
    ['cudaGraphMaxBatch', 64, withValues({ cudaGraphs: 'off' }), /graphs are off/],
    ['operatorFusion', 'on', h100, /one rank has none/],
    ['kvCacheKeyType', 'Q8_0', h100, /no Q8_0 cache/],
    ['kvCacheKeyType', 'INT8', h100, /TensorRT engine path/],
    ['kvCacheKeyType', 'NVFP4', h100, /needs Blackwell; H100-SXM has compute capability 9\.0/],
    ['kvCacheKeyType', 'FP8', withValues({ kvCacheValueType: 'BF16' }), /in one type/],
    ['staticKvCache', 'on', h100, /always in pages/],
    ['slidingWindow', 'off', h100, /served length/],
    ['kvTier', 'host-memory', h100, /needs its size/],
    ['kvTier', 'disk', h100, /manager V2, after 1\.2; this is 1\.2\.1/],
    ['kvTier', 'mooncake', h100, /it is no tier/],
    ['kvTierBytes', 1e9, h100, /without the tier/],
    ['kvEviction', 'triattention', h100, /calibration file/],
    ['kvEviction', 'rocket', h100, /compute capability 10\.0; H100-SXM/],
    ['sinkTokens', 4, h100, /ignored by the PyTorch backend/],
    ['threads', 8, h100, /on the GPU/],
    ['queueLimit', 16, h100, /gateway/],
    ['apiKeySecret', 'INFERLOOM_SECRET_KEY', h100, /gateway/],
    ['structuredOutputBackend', 'outlines', h100, /no outlines/],
    ['schedulingPolicy', 'priority', h100, /priority queue came after 1\.2/],
    ['priorityHighFirst', true, h100, /without the priority policy/],
    ['preemption', 'swap', h100, /not swapped out/],
    ['tensorParallel', 2, h100, /= 2 ranks need as many devices; there are 1/],
    ['pipelineParallel', 4, withValues({ tensorParallel: 4 }, eight), /= 16 ranks/],
    ['dataParallel', 2, h100, /replicas behind a router/],
    ['expertParallel', 3, withValues({ tensorParallel: 8 }, eight), /3 does not divide 8/],
    ['attentionDataParallel', 4, withValues({ tensorParallel: 8 }, eight), /8 here, not 4/],
    ['cpuOffloadBytes', 1e9, h100, /weight streaming/],
    ['cpuExpertLayers', 2, h100, /on the CPU/],
    ['deviceLayers', 20, h100, /every layer/],
    ['draftTokens', 3, h100, /without speculation/],
    ['promptLookupMaxTokens', 3, h100, /without prompt lookup/],
  ])('refuses %s %s', (name, value, situation, reason) => {
    expect(lower(name, value, situation)).toMatch(/^no: /);
    expect(lower(name, value, situation)).toMatch(reason);
  });
});

describe('weights of TensorRT-LLM', () => {
  it.each<[string, Situation]>([
    ['safetensors:bfloat16', h100],
    ['safetensors:fp8', h100],
    ['safetensors:fp8-static', on('L40S')],
    ['safetensors:fp8-block', h100],
    ['safetensors:awq-int4', on('A100-80GB-SXM')],
    ['safetensors:gptq-int4', on('A10')],
    ['safetensors:nvfp4', on('B200-SXM')],
    ['safetensors:nvfp4', on('RTX-5090')],
    ['safetensors:mxfp4', h100],
  ])('takes %s', (format, situation) => {
    expect(lower('weightsFormat', format, as(format, situation))).toBe('org/model --backend pytorch');
  });

  it.each<[string, Situation, RegExp]>([
    ['safetensors:fp8', on('A100-80GB-SXM'), /starts with Ada \(compute capability 8\.9\); A100-80GB-SXM has/],
    ['safetensors:fp8-block', on('A10'), /FP8 tensor cores/],
    ['safetensors:nvfp4', h100, /starts with Blackwell/],
    ['safetensors:int8-w8a8', h100, /SmoothQuant/],
    ['safetensors:int8-weight-only', h100, /weight-only/],
    ['safetensors:gptq-int8', h100, /4-bit weights only/],
    ['safetensors:w4a16', h100, /not as compressed-tensors/],
    ['safetensors:mxfp8', eight, /no MXFP8 weights/],
    ['safetensors:bnb-nf4', h100, /bitsandbytes/],
    ['gguf:Q4_K_M', h100, /GGUF files are not read/],
    ['safetensors:bfloat16', cpu, /NVIDIA GPUs only; cpu-local is a CPU/],
    ['safetensors:bfloat16', on('MI300X'), /NVIDIA GPUs only; MI300X is not from NVIDIA/],
    ['safetensors:bfloat16', on('T4'), /compute capability 8\.0 \(Ampere\); T4 has compute capability 7\.5/],
  ])('refuses %s', (format, situation, reason) => {
    expect(lower('weightsFormat', format, as(format, situation))).toMatch(reason);
  });

  it.each<[string, string]>([
    ['safetensors:awq-int4', 'B200-SXM'],
    ['safetensors:gptq-int4', 'RTX-5090'],
    ['safetensors:fp8', 'L40S'],
    ['safetensors:fp8-block', 'L4'],
    ['safetensors:fp8-block', 'RTX-5090'],
    ['safetensors:mxfp4', 'A100-80GB-SXM'],
  ])('warns of %s on %s, which the support table does not list', (format, id) => {
    const words = lower('weightsFormat', format, as(format, on(id)));
    expect(words).toMatch(/^org\/model --backend pytorch \| but: .*not in the support table.*test first/);
  });

  it('never quantizes at load, and pins a revision', () => {
    const online = {
      ...as('safetensors:fp8'),
      checkpoints: [{ ...llama, format: 'safetensors:fp8', source: 'online' as const }],
    };
    expect(lower('weightsFormat', 'safetensors:fp8', online)).toMatch(/ModelOpt first/);
    const pinned = { ...h100, checkpoints: [{ ...llama, revision: 'abc' }] };
    expect(lower('weightsFormat', 'safetensors:bfloat16', pinned)).toMatch(/ --revision abc$/);
    expect(lower('weightsFormat', 'safetensors:bfloat16', { ...h100, checkpoints: [] })).toMatch(/no checkpoint/);
  });

  it('says that zeros bring nothing', () => {
    expect(lower('weightsSparsity', 'structured')).toBe('by weightsFormat');
    expect(lower('weightsSparsity', '2:4')).toMatch(/^by weightsFormat \| but: 2:4 weights load dense/);
  });
});

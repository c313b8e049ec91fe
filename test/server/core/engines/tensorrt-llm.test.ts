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
const next: Situation = { ...h100, version: '1.3.0rc24' };
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
    ['safetensors:fp8', on('L40S')],
    ['safetensors:fp8-static', h100],
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

describe('speculation of TensorRT-LLM', () => {
  const spec = (values: Situation['values'], situation = h100) => {
    const all = { draftTokens: 3, ...values };
    return lower('speculation', values?.speculation, withValues(all, situation));
  };

  it('writes each method by the names of its release', () => {
    expect(spec({ speculation: 'eagle3' })).toBe(
      'speculative_config.max_draft_len: 3, speculative_config.decoding_type: "Eagle", speculative_config.speculative_model_dir: "yuhuili/EAGLE3-LLaMA3.1-Instruct-8B"',
    );
    expect(spec({ speculation: 'eagle3' }, next)).toBe(
      'speculative_config.max_draft_len: 3, speculative_config.decoding_type: "Eagle3", speculative_config.speculative_model: "yuhuili/EAGLE3-LLaMA3.1-Instruct-8B"',
    );
    expect(spec({ speculation: 'mtp' })).toBe(
      'speculative_config.num_nextn_predict_layers: 3, speculative_config.decoding_type: "MTP"',
    );
    expect(spec({ speculation: 'mtp' }, next)).toBe(
      'speculative_config.max_draft_len: 3, speculative_config.decoding_type: "MTP"',
    );
    expect(spec({ speculation: 'prompt-lookup', promptLookupMinTokens: 1, promptLookupMaxTokens: 4 })).toBe(
      'speculative_config.max_draft_len: 3, speculative_config.decoding_type: "NGram", speculative_config.max_matching_ngram_size: 4, disable_overlap_scheduler: true',
    );
    expect(spec({ speculation: 'draft-model' }, next)).toMatch(/"Draft_Target"/);
    expect(spec({ speculation: 'draft-model' }, next)).not.toMatch(/overlap/);
    expect(spec({ speculation: 'suffix' }, next)).toMatch(/"SA"/);
    expect(spec({ speculation: 'dflash' }, next)).toMatch(/"DFlash"/);
  });

  it('drafts a tree with a depth, from 1.3 on', () => {
    const tree = { speculation: 'eagle3' as const, draftTokens: 12, draftTreeTopK: 4, draftTreeDepth: 5 };
    expect(spec(tree, next)).toMatch(
      /max_draft_len: 5, .*use_dynamic_tree: true, .*dynamic_tree_max_topK: 4, .*max_total_draft_tokens: 12/,
    );
    expect(spec(tree)).toMatch(/dynamic draft tree came after 1\.2/);
    expect(spec({ ...tree, draftTokens: 40 }, next)).toMatch(/holds 5 to 20 tokens, not 40/);
    expect(lower('draftTreeDepth', 4, withValues({ speculation: 'mtp', draftTokens: 3 }))).toMatch(/a chain, as deep/);
    expect(lower('draftTreeTopK', 4, withValues({ speculation: 'mtp', draftTokens: 3 }))).toMatch(/drafts a chain/);
  });

  it.each<[Situation['values'], Situation, RegExp]>([
    [{ speculation: 'medusa' }, h100, /only on the TensorRT engine backend/],
    [{ speculation: 'eagle' }, h100, /only on the TensorRT engine backend/],
    [{ speculation: 'mlp-speculator' }, h100, /no TensorRT-LLM backend/],
    [{ speculation: 'suffix' }, h100, /came after 1\.2/],
    [{ speculation: 'dflash' }, h100, /came after 1\.2/],
    [{ speculation: 'eagle3' }, { ...h100, checkpoints: [llama] }, /needs a draft checkpoint/],
    [{ speculation: 'prompt-lookup', promptLookupMinTokens: 2 }, h100, /shortest match cannot be set/],
    [{ speculation: 'mtp', pipelineParallel: 2 }, h100, /pipeline parallelism/],
  ])('refuses %o', (values, situation, reason) => {
    expect(spec(values, situation)).toMatch(reason);
  });

  it('carries what belongs to it', () => {
    const values = { speculation: 'eagle3' as const, draftTokens: 3 };
    expect(lower('draftTokens', 3, withValues(values))).toBe('by speculation');
    expect(lower('weightsFormat', 'safetensors:bfloat16', withValues(values), 'draft')).toBe('by speculation');
    expect(lower('weightsFormat', 'safetensors:bfloat16', h100, 'draft')).toMatch(/without speculation/);
    expect(lower('tensorParallel', 1, withValues(values), 'draft')).toMatch(/cannot be set for the draft model/);
  });
});

describe('conversions of TensorRT-LLM', () => {
  it('turns a share of the device into a share of what weights leave', () => {
    // 8.03e9 × 2 bytes of 80e9: (0.9 × 80 − 16.06) ÷ (80 − 16.06) = 0.874.
    expect(lower('memoryFraction', 0.9)).toBe('kv_cache_config.free_gpu_memory_fraction: 0.87');
    expect(lower('memoryFraction', 0.1)).toMatch(/weights alone .* take more than that share/);
    const unknown = { ...h100, checkpoints: [checkpoint({ model: 'own', format: 'safetensors:bfloat16' })] };
    expect(lower('memoryFraction', 0.9, unknown)).toMatch(/size of the weights is unknown/);
  });

  it('counts decoding tokens in the step', () => {
    const values = { maxSequences: 64, speculation: 'eagle3' as const, draftTokens: 3 };
    expect(lower('prefillTokensPerStep', 2048, withValues(values))).toBe('--max_num_tokens 2304');
  });

  it('places tiers, eviction and policies by release and device', () => {
    const host = withValues({ kvTier: 'host-memory', kvTierBytes: 2 ** 34 });
    expect(lower('kvTier', 'host-memory', host)).toBe('by kvTierBytes');
    expect(lower('kvTierBytes', 2 ** 34, host)).toBe('kv_cache_config.host_cache_size: 17179869184');
    const disk = withValues({ kvTier: 'disk', kvTierBytes: 2 ** 34 }, next);
    expect(lower('kvTier', 'disk', disk)).toMatch(/disk_cache_path: "\/tmp"/);
    expect(lower('kvTierBytes', 2 ** 34, disk)).toBe('kv_cache_config.disk_cache_size: 17179869184');
    expect(lower('kvTier', 'lmcache', next)).toBe('kv_connector_config.connector: "lmcache"');
    expect(lower('kvEviction', 'rocket', eight)).toMatch(
      /algorithm: "rocket", kv_cache_config.enable_block_reuse: false \| but: a prototype/,
    );
    expect(lower('schedulingPolicy', 'priority', next)).toBe('scheduler_config.waiting_queue_policy: "priority"');
    expect(lower('schedulingPolicy', 'longest-prefix', next)).toMatch(/enable_prefix_aware_scheduling: true/);
    const priority = withValues({ schedulingPolicy: 'priority' }, next);
    expect(lower('priorityHighFirst', true, priority)).toBe('by schedulingPolicy');
    expect(lower('priorityHighFirst', false, priority)).toMatch(/always goes first/);
  });

  it('spreads ranks, experts and attention over eight devices', () => {
    const tp8 = withValues({ tensorParallel: 8 }, eight);
    expect(lower('tensorParallel', 8, eight)).toBe('--tp_size 8');
    expect(lower('expertParallel', 8, tp8)).toBe('--ep_size 8');
    expect(lower('attentionDataParallel', 8, tp8)).toBe('enable_attention_dp: true');
    expect(lower('operatorFusion', 'off', tp8)).toBe('allreduce_strategy: "NCCL"');
    expect(lower('contextParallel', 2, eight)).toMatch(/cp_type: "HELIX" \| but: /);
    expect(lower('slidingWindow', 'off', withValues({ contextTokensPerSequence: 32768 }))).toBe(
      'kv_cache_config.max_attention_window: [32768]',
    );
    expect(lower('kvCacheValueType', 'NVFP4', withValues({ kvCacheKeyType: 'NVFP4' }, eight))).toBe(
      'by kvCacheKeyType',
    );
  });

  it('names adapters by the field that requests use', () => {
    const adapters = [{ name: 'sql', source: '/adapters/sql' }];
    expect(lower('loraAdapters', adapters)).toMatch(/lora_dir: \["\/adapters\/sql"\] \| but: .*lora_request/);
  });

  it('pins its image and runs on no CPU', () => {
    const image = (kind: 'cpu' | 'gpu') => tensorrtLlm.image({ hardware: { id: 'H100-SXM', kind }, version: '1.2.1' });
    expect(image('gpu')).toBe('nvcr.io/nvidia/tensorrt-llm/release:1.2.1');
    expect(image('cpu')).toBeNull();
  });
});

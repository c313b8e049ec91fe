import { describe, expect, it } from 'vitest';
import { findNodeType } from '@/server/core/catalog/find-node-type';
import { REFUSED_TECHNIQUES } from '@/server/core/catalog/refused-techniques';
import { findNodeTypes, findRefused } from '@/server/core/catalog/search-catalog';
import { TECHNIQUES } from '@/server/core/catalog/techniques/index';

/** Every technique that the product's feature table names, with the node type or the refusal that stands for it. */
const NAMED: readonly (readonly [string, string])[] = [
  ['INT8 W8A8', 'int8-w8a8'],
  ['SmoothQuant', 'int8-w8a8'],
  ['bitsandbytes 8-bit', 'bitsandbytes-int8'],
  ['bitsandbytes 4-bit', 'bitsandbytes-nf4'],
  ['GPTQ', 'gptq'],
  ['AWQ', 'awq'],
  ['FP8 static', 'fp8'],
  ['FP8 dynamic', 'fp8'],
  ['W4A16', 'w4a16'],
  ['NVFP4', 'nvfp4'],
  ['MXFP4', 'mxfp4'],
  ['GGUF', 'gguf-quantization'],
  ['Q8_0', 'gguf-quantization'],
  ['Q2_K', 'gguf-quantization'],
  ['IQ1_S', 'gguf-quantization'],
  ['structured pruning', 'structured-pruning'],
  ['LLM-Pruner', 'structured-pruning'],
  ['SparseGPT', 'sparse-pruning'],
  ['2:4 sparsity', 'sparse-pruning'],
  ['distilled student', 'distilled-student'],
  ['eager', 'attention-backend'],
  ['SDPA', 'attention-backend'],
  ['FlashAttention 1', 'flash-attention-1'],
  ['FlashAttention 2', 'attention-backend'],
  ['FlashAttention 3', 'attention-backend'],
  ['FlashInfer', 'attention-backend'],
  ['operator fusion', 'operator-fusion'],
  ['torch.compile', 'torch-compile'],
  ['CUDA graphs', 'cuda-graphs'],
  ['static KV cache', 'static-kv-cache'],
  ['MQA', 'grouped-query-attention'],
  ['GQA', 'grouped-query-attention'],
  ['MLA', 'grouped-query-attention'],
  ['PagedAttention', 'paged-attention'],
  ['prefix caching', 'prefix-caching'],
  ['KV INT8', 'kv-cache-type'],
  ['FP8 KV', 'kv-cache-type'],
  ['INT4 KV', 'kv-cache-type'],
  ['sliding window', 'sliding-window'],
  ['StreamingLLM', 'sink-window'],
  ['H2O', 'h2o'],
  ['KV tier', 'kv-offload'],
  ['greedy', 'sampling'],
  ['sampling', 'sampling'],
  ['beam', 'beam-search'],
  ['draft model', 'draft-speculation'],
  ['prompt lookup', 'prompt-lookup'],
  ['n-gram', 'prompt-lookup'],
  ['EAGLE', 'eagle'],
  ['EAGLE-3', 'eagle-3'],
  ['MTP', 'mtp'],
  ['Medusa', 'medusa'],
  ['Lookahead', 'lookahead-decoding'],
  ['continuous batching', 'parallel-sequences'],
  ['dynamic batching', 'dynamic-batching'],
  ['static batching', 'static-batching'],
  ['chunked prefill', 'chunked-prefill'],
  ['max sequences', 'parallel-sequences'],
  ['priority', 'scheduling-policy'],
  ['preemption', 'preemption'],
  ['tensor parallel', 'tensor-parallel'],
  ['pipeline parallel', 'pipeline-parallel'],
  ['data parallel', 'data-parallel'],
  ['expert parallel', 'expert-parallel'],
  ['API keys', 'gateway-api-keys'],
  ['rate limit by key', 'rate-limit-by-key'],
  ['rate limit by IP', 'rate-limit-by-ip'],
  ['bounded queue', 'gateway-queue'],
  ['load shedding', 'gateway-queue'],
  ['circuit breaker', 'circuit-breaker'],
  ['SSE streaming', 'sse-streaming'],
  ['parameter checks', 'request-limits'],
  ['short-first priority', 'short-first'],
  ['autoscaling', 'autoscaling'],
  ['HPA', 'autoscaling'],
  ['KEDA', 'autoscaling'],
  ['replicas', 'replicas'],
  ['LoRA', 'lora-adapter'],
  ['prefill/decode disaggregation', 'disaggregation'],
  ['KV connector', 'disaggregation'],
  ['LMCache', 'kv-offload'],
  ['HiCache', 'kv-offload'],
  ['cache-aware routing', 'request-routing'],
  ['attention data parallelism', 'attention-data-parallel'],
  ['expert offload', 'expert-offload'],
  ['CPU offload', 'cpu-offload'],
  ['structured output', 'structured-output'],
  ['torch profiler', 'torch-profiler'],
  ['Nsight Systems', 'nsight-systems'],
];

describe('every technique of the feature table', () => {
  it.each(NAMED)('%s is found as %s: a node, or a refusal with its reason', (name, id) => {
    const isNode = findNodeType(id) !== null;
    expect(isNode || REFUSED_TECHNIQUES.some((technique) => technique.id === id)).toBe(true);
    const found = isNode ? findNodeTypes(name).map((type) => type.type) : findRefused(name).map((t) => t.id);
    expect(found).toContain(id);
  });

  it('has no technique that nothing but its title says: each sets a setting, a policy or another model', () => {
    for (const type of TECHNIQUES) {
      const says = type.settings.length > 0 || type.policy !== undefined || type.replacesModel !== undefined;
      expect(says, type.type).toBe(true);
    }
  });
});

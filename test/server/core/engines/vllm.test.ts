import { describe, expect, it } from 'vitest';
import { vllm } from '@/server/core/engines/vllm';
import type { SettingName } from '@/server/core/plan/settings';
import { checkpoint, lowerShort, type Situation } from '@/test/fixtures/lowering-context';

const llama = checkpoint({
  model: 'Llama-3.1-8B',
  repo: 'meta-llama/Llama-3.1-8B-Instruct',
  format: 'safetensors:bfloat16',
  fileName: 'meta-llama/Llama-3.1-8B-Instruct',
});
const draft = checkpoint({
  scope: 'draft',
  model: 'Llama-3.2-1B',
  repo: 'meta-llama/Llama-3.2-1B-Instruct',
  format: 'safetensors:bfloat16',
});
const gpu: Situation = {
  version: '0.28.0',
  checkpoints: [llama, draft],
  hardware: { kind: 'gpu', id: 'H100-SXM', count: 2 },
};
const on = (id: string): Situation => ({ ...gpu, hardware: { kind: 'gpu', id, count: 1 } });
const cpu: Situation = { ...gpu, hardware: { kind: 'cpu', id: 'cpu-local', count: 1 } };
const lower = (name: SettingName, value: unknown, situation: Situation = gpu): string =>
  lowerShort(vllm, name, value as never, situation);

describe('vLLM', () => {
  it.each<[SettingName, unknown, string]>([
    ['weightsFormat', 'safetensors:bfloat16', 'meta-llama/Llama-3.1-8B-Instruct'],
    ['flashAttention', 'on', '--attention-backend FLASH_ATTN'],
    ['kvCacheKeyType', 'FP8', '--kv-cache-dtype fp8'],
    ['kvCacheKeyType', 'F16', '--kv-cache-dtype float16'],
    ['kvCacheKeyType', 'BF16', '--kv-cache-dtype bfloat16'],
    ['kvCacheValueType', 'FP8', '--kv-cache-dtype fp8'],
    ['prefixCaching', 'on', '--enable-prefix-caching'],
    ['prefixCaching', 'off', '--no-enable-prefix-caching'],
    ['contextTokensPerSequence', 4096, '--max-model-len 4096'],
    ['maxSequences', 64, '--max-num-seqs 64'],
    ['apiKeySecret', 'INFERLOOM_SECRET_KEY', 'VLLM_API_KEY=$INFERLOOM_SECRET_KEY'],
    ['speculation', 'off', ''],
    ['tensorParallel', 2, '--tensor-parallel-size 2'],
    ['memoryFraction', 0.85, '--gpu-memory-utilization 0.85'],
    ['temperature', 0.7, '{"temperature":0.7}'],
    ['topP', 0.9, '{"top_p":0.9}'],
    ['topK', 40, '{"top_k":40}'],
    ['minP', 0.05, '{"min_p":0.05}'],
    ['beams', 1, ''],
    ['beams', 4, '{"use_beam_search":true,"n":4}'],
  ])('%s %s → %s', (name, value, words) => {
    expect(lower(name, value)).toBe(words);
  });

  it.each<[SettingName, unknown, Situation, RegExp]>([
    ['weightsFormat', 'gguf:Q4_K_M', gpu, /plugin vllm-gguf-plugin/],
    ['flashAttention', 'off', gpu, /tile as well/],
    ['flashAttention', 'on', cpu, /ignores the backend/],
    ['flashAttention', 'on', on('T4'), /compute capability 8\.0; T4 has compute capability 7\.5/],
    ['kvCacheKeyType', 'Q8_0', gpu, /GGML block types/],
    ['kvCacheValueType', 'F32', gpu, /no F32 cache/],
    ['kvCacheKeyType', 'FP8', on('V100-SXM2'), /no attention kernel/],
    ['kvCacheKeyType', 'FP8', cpu, /no CPU attention kernel/],
    ['kvCacheKeyType', 'FP8', { ...gpu, values: { kvCacheValueType: 'BF16' } }, /in one type/],
    ['sinkTokens', 4, gpu, /no attention sinks/],
    ['threads', 8, gpu, /on a GPU/],
    ['queueLimit', 16, gpu, /0\.28\.0 has no bound/],
    ['memoryFraction', 0.9, cpu, /VLLM_CPU_KVCACHE_SPACE/],
    ['tensorParallel', 4, gpu, /need 4 devices; there are 2/],
    ['draftTokens', 4, gpu, /without speculation/],
    ['promptLookupMaxTokens', 4, gpu, /without speculation/],
    ['speculation', 'draft-model', gpu, /number of drafted tokens/],
  ])('refuses %s %s', (name, value, situation, reason) => {
    expect(lower(name, value, situation)).toMatch(/^no: /);
    expect(lower(name, value, situation)).toMatch(reason);
  });

  it('puts a draft and lookup bounds into one JSON argument', () => {
    const values = { speculation: 'draft-model' as const, draftTokens: 4 };
    expect(lower('speculation', 'draft-model', { ...gpu, values })).toBe(
      '--speculative-config {"method":"draft_model","model":"meta-llama/Llama-3.2-1B-Instruct","num_speculative_tokens":4}',
    );
    expect(lower('draftTokens', 4, { ...gpu, values })).toBe('by speculation');
    expect(lowerShort(vllm, 'weightsFormat', 'safetensors:bfloat16', { ...gpu, values }, 'draft')).toBe(
      'by speculation',
    );
    const lookup = { draftTokens: 5, promptLookupMinTokens: 2, promptLookupMaxTokens: 4 };
    expect(lower('speculation', 'prompt-lookup', { ...gpu, values: lookup })).toBe(
      '--speculative-config {"method":"ngram","num_speculative_tokens":5,"prompt_lookup_max":4,"prompt_lookup_min":2}',
    );
    expect(lower('speculation', 'draft-model', { ...gpu, values, checkpoints: [llama] })).toMatch(/needs a draft/);
  });

  it('adds the decoding tokens to the step budget', () => {
    const values = { maxSequences: 64, speculation: 'prompt-lookup' as const, draftTokens: 3 };
    expect(lower('prefillTokensPerStep', 512, { ...gpu, values })).toBe('--max-num-batched-tokens 768');
    expect(lower('prefillTokensPerStep', 512)).toBe('--max-num-batched-tokens 512');
  });

  it('binds threads on a CPU and bounds the queue from 0.29 on', () => {
    expect(lower('threads', 4, cpu)).toBe('VLLM_CPU_OMP_THREADS_BIND=0-3');
    expect(lower('threads', 1, cpu)).toBe('VLLM_CPU_OMP_THREADS_BIND=0');
    expect(lower('queueLimit', 16, { ...gpu, version: '0.29.0' })).toBe('--max-num-queued-reqs 16');
  });

  it('pins a revision, quantizes at load, and takes the kernel of an AMD device', () => {
    const pinned = { ...gpu, checkpoints: [{ ...llama, revision: 'abc' }] };
    expect(lower('weightsFormat', 'safetensors:bfloat16', pinned)).toMatch(/ --revision abc$/);
    const online = { ...gpu, checkpoints: [{ ...llama, source: 'online' as const }] };
    expect(lower('weightsFormat', 'safetensors:fp8', online)).toMatch(/ --quantization fp8$/);
    expect(lower('weightsFormat', 'safetensors:nf4', online)).toMatch(/cannot quantize to nf4/);
    expect(lower('flashAttention', 'on', on('MI300X'))).toBe('--attention-backend ROCM_AITER_FA');
  });

  it('pins images by device', () => {
    const image = (id: string, kind: 'cpu' | 'gpu') => vllm.image({ hardware: { id, kind }, version: '0.28.0' });
    expect(image('H100-SXM', 'gpu')).toBe('vllm/vllm-openai:v0.28.0');
    expect(image('MI300X', 'gpu')).toBe('vllm/vllm-openai-rocm:v0.28.0');
    expect(image('cpu-local', 'cpu')).toBe('vllm/vllm-openai-cpu:v0.28.0');
  });
});

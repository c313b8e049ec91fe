import { describe, expect, it } from 'vitest';
import { transformers } from '@/server/core/engines/transformers';
import type { Scope, SettingName, SettingValues } from '@/server/core/plan/settings';
import { checkpoint, lowerShort, type Situation } from '@/test/fixtures/lowering-context';

const llama = checkpoint({
  model: 'Llama-3.1-8B',
  repo: 'meta-llama/Llama-3.1-8B-Instruct',
  format: 'safetensors:bfloat16',
  fileName: 'meta-llama/Llama-3.1-8B-Instruct',
});
const gpu: Situation = {
  version: '5.17.0',
  checkpoints: [llama],
  hardware: { kind: 'gpu', id: 'H100-SXM', count: 1 },
};
const cpu: Situation = { ...gpu, hardware: { kind: 'cpu', id: 'cpu-local', count: 1 } };
const on = (id: string): Situation => ({ ...gpu, hardware: { kind: 'gpu', id, count: 1 } });
const having = (values: Partial<SettingValues>): Situation => ({ ...gpu, values });
const compiled = having({ torchCompile: 'on' });
const lower = (name: SettingName, value: unknown, situation: Situation = gpu, scope: Scope = 'target'): string =>
  lowerShort(transformers, name, value as never, situation, scope);
const MODEL = 'meta-llama/Llama-3.1-8B-Instruct';

describe('Transformers serve', () => {
  it.each<[SettingName, unknown, Situation, string]>([
    ['weightsFormat', 'safetensors:bfloat16', gpu, `${MODEL} --continuous-batching`],
    ['weightsFormat', 'safetensors:bfloat16', compiled, MODEL],
    ['weightsFormat', 'safetensors:bfloat16', having({ staticKvCache: 'on' }), MODEL],
    ['weightsFormat', 'safetensors:bfloat16', cpu, `${MODEL} --continuous-batching --device cpu`],
    ['computeDtype', 'bfloat16', gpu, '--dtype bfloat16'],
    ['flashAttention', 'on', gpu, '--attn-implementation flash_attention_3'],
    ['flashAttention', 'on', on('A100-SXM-80GB'), '--attn-implementation flash_attention_2'],
    ['flashAttention', 'on', on('MI300X'), '--attn-implementation flash_attention_2'],
    ['flashAttention', 'off', compiled, '--attn-implementation eager'],
    ['attentionBackend', 'sdpa', cpu, '--attn-implementation sdpa'],
    ['attentionBackend', 'flex-attention', compiled, '--attn-implementation flex_attention'],
    ['torchCompile', 'on', gpu, '--compile'],
    ['torchCompile', 'off', gpu, '--no-compile'],
    ['cudaGraphs', 'on', gpu, '--cb-use-cuda-graph'],
    ['cudaGraphs', 'off', gpu, '--no-cb-use-cuda-graph'],
    ['prefixCaching', 'on', gpu, ''],
    ['staticKvCache', 'off', gpu, ''],
    ['staticKvCache', 'on', gpu, '--compile'],
    ['staticKvCache', 'on', compiled, 'by torchCompile'],
    ['kvBlockTokens', 32, gpu, '--cb-block-size 32'],
    ['contextTokensPerSequence', 8192, gpu, 'by weightsFormat'],
    ['prefillTokensPerStep', 512, having({ maxSequences: 64 }), '--cb-max-batch-tokens 576'],
    ['memoryFraction', 0.9, gpu, '--cb-max-memory-percent 0.87'],
    ['tensorParallel', 1, gpu, ''],
    ['temperature', 0.7, gpu, '{"temperature":0.7}'],
    ['topP', 0.9, gpu, '{"top_p":0.9}'],
  ])('%s %s', (name, value, situation, words) => {
    expect(lower(name, value, situation)).toBe(words);
  });

  it.each<[SettingName, unknown, Situation, RegExp]>([
    ['attentionBackend', 'flash-attention-4', on('B200'), /serve takes eager, sdpa/],
    ['attentionBackend', 'flash-attention-3', on('B200'), /does not run/],
    ['attentionBackend', 'flash-attention-2', on('T4'), /does not run/],
    ['attentionBackend', 'flash-attention-2', cpu, /for GPUs/],
    ['attentionBackend', 'flashinfer', gpu, /not flashinfer/],
    ['cudaGraphs', 'on', cpu, /no CUDA graphs/],
    ['cudaGraphs', 'on', compiled, /switches off/],
    ['kvCacheKeyType', 'FP8', gpu, /in Python only/],
    ['prefixCaching', 'off', gpu, /no argument/],
    ['prefixCaching', 'on', compiled, /only continuous batching/],
    ['kvBlockTokens', 2, gpu, /at least 4/],
    ['kvBlockTokens', 32, compiled, /switches off/],
    ['contextTokensPerSequence', 1_000_000, gpu, /made for 131072/],
    ['maxSequences', 8, gpu, /no argument/],
    ['queueLimit', 8, gpu, /gateway/],
    ['apiKeySecret', 'INFERLOOM_SECRET_A', gpu, /gateway/],
    ['speculation', 'draft-model', gpu, /in Python only/],
    ['metricsEndpoint', 'on', gpu, /no Prometheus/],
    ['tensorParallel', 2, gpu, /no tp_plan/],
    ['memoryFraction', 0.9, cpu, /of a GPU/],
    ['memoryFraction', 0.1, gpu, /weights alone/],
    ['topK', 40, gpu, /422/],
    ['minP', 0.1, gpu, /422/],
    ['beams', 4, gpu, /one continuation/],
    ['loraAdapters', [{ name: 'a', source: 'b' }], gpu, /PEFT/],
  ])('refuses %s %s', (name, value, situation, reason) => {
    expect(lower(name, value, situation)).toMatch(/^no: /);
    expect(lower(name, value, situation)).toMatch(reason);
  });

  it.each<[string, 'checkpoint' | 'online', Situation, RegExp]>([
    ['bnb-nf4', 'online', gpu, / --continuous-batching --quantization bnb-4bit$/],
    ['bnb-int8', 'online', gpu, / --quantization bnb-8bit$/],
    ['fp8', 'online', gpu, /^no: .*bitsandbytes only/],
    ['fp8-block', 'checkpoint', gpu, /--continuous-batching$/],
    ['fp8-block', 'checkpoint', on('A100-SXM-80GB'), /but: .*dequantized to BF16/],
    ['awq-int4', 'checkpoint', gpu, /but: the worker needs gptqmodel /],
    ['awq-int4', 'checkpoint', on('V100-SXM2'), /^no: .*7\.5/],
    ['nvfp4', 'checkpoint', gpu, /^no: .*10\.0/],
    ['int8-weight-only', 'checkpoint', gpu, /^no: .*int8-weight-only/],
  ])('%s, %s', (scheme, source, situation, expected) => {
    const format = `safetensors:${scheme}`;
    expect(lower('weightsFormat', format, { ...situation, checkpoints: [{ ...llama, format, source }] })).toMatch(
      expected,
    );
  });

  it('names a revision, a GGUF file, and what continuous batching changes', () => {
    expect(
      lower('weightsFormat', 'safetensors:bfloat16', { ...gpu, checkpoints: [{ ...llama, revision: 'abc' }] }),
    ).toMatch(/^meta-llama\/Llama-3\.1-8B-Instruct@abc /);
    const gguf = checkpoint({ repo: 'acme/llama-gguf', format: 'gguf:Q4_K_M', fileName: 'llama-q4_k_m.gguf' });
    expect(lower('weightsFormat', 'gguf:Q4_K_M', { ...gpu, checkpoints: [gguf] })).toMatch(
      /^acme\/llama-gguf:llama-q4_k_m\.gguf .*dequantized/,
    );
    expect(lower('attentionBackend', 'sdpa')).toMatch(/sdpa \| but: continuous batching changes it/);
    expect(lower('weightsFormat', 'safetensors:bfloat16', gpu, 'draft')).toMatch(/Python only/);
  });

  it.each([
    [
      "ValueError: Unsupported attention implementation: 'flash_attention_4'. Must be one of",
      'attention-backend-unsupported',
    ],
    [
      "ValueError: Unsupported quantization method: 'awq'. Must be 'bnb-4bit' or 'bnb-8bit'.",
      'quantization-library-missing',
    ],
    [
      'ImportError: Missing dependencies for serving. Install with `pip install transformers[serving]`',
      'serving-extra-missing',
    ],
    ['torch.OutOfMemoryError: CUDA out of memory.', 'out-of-memory'],
    ['│ No such option: --bogus                                                      │', 'unknown-flag'],
    [
      "OSError: acme/none is not a local folder and is not a valid model identifier listed on 'https://huggingface.co/models'",
      'model-load-failed',
    ],
  ])('knows the line %s', (line, code) => {
    expect(transformers.failures.find((failure) => failure.pattern.test(line))?.code).toBe(code);
  });
});

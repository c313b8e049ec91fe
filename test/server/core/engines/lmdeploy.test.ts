import { describe, expect, it } from 'vitest';
import { lmdeploy } from '@/server/core/engines/lmdeploy';
import type { Scope, SettingName, SettingValues } from '@/server/core/plan/settings';
import { checkpoint, lowerShort, type Situation } from '@/test/fixtures/lowering-context';

const llama = checkpoint({
  model: 'Llama-3.1-8B',
  repo: 'meta-llama/Llama-3.1-8B-Instruct',
  format: 'safetensors:bfloat16',
  fileName: 'meta-llama/Llama-3.1-8B-Instruct',
});
const draft = checkpoint({ scope: 'draft', repo: 'acme/eagle3', format: 'safetensors:bfloat16' });
const turbomind: Situation = {
  runtime: 'turbomind',
  version: '0.16.0',
  checkpoints: [llama, draft],
  hardware: { kind: 'gpu', id: 'H100-SXM', count: 8 },
};
const pytorch: Situation = { ...turbomind, runtime: 'pytorch' };
const on = (id: string, situation: Situation = turbomind): Situation => ({
  ...situation,
  hardware: { kind: 'gpu', id, count: 8 },
});
const having = (values: Partial<SettingValues>, situation: Situation = turbomind): Situation => ({
  ...situation,
  values,
});
const of = (model: string, situation: Situation): Situation => ({
  ...situation,
  checkpoints: [checkpoint({ ...llama, model }), draft],
});
const lower = (name: SettingName, value: unknown, situation: Situation = turbomind, scope: Scope = 'target'): string =>
  lowerShort(lmdeploy, name, value as never, situation, scope);

describe('LMDeploy', () => {
  it.each<[SettingName, unknown, Situation, string]>([
    ['weightsFormat', 'safetensors:bfloat16', turbomind, 'meta-llama/Llama-3.1-8B-Instruct --backend turbomind'],
    ['weightsFormat', 'safetensors:bfloat16', pytorch, 'meta-llama/Llama-3.1-8B-Instruct --backend pytorch'],
    ['computeDtype', 'float16', turbomind, '--dtype float16'],
    ['kvCacheKeyType', 'INT8', turbomind, '--quant-policy 8'],
    ['kvCacheKeyType', 'INT4', turbomind, '--quant-policy 4'],
    ['kvCacheKeyType', 'FP8', pytorch, '--quant-policy fp8'],
    ['kvCacheKeyType', 'FP8_E5M2', pytorch, '--quant-policy fp8_e5m2'],
    ['kvCacheKeyType', 'BF16', having({ computeDtype: 'bfloat16' }), '--quant-policy none'],
    ['kvCacheValueType', 'INT8', having({ kvCacheKeyType: 'INT8' }), 'by kvCacheKeyType'],
    ['prefixCaching', 'on', turbomind, '--enable-prefix-caching'],
    ['prefixCaching', 'off', turbomind, ''],
    ['kvBlockTokens', 128, turbomind, '--cache-block-seq-len 128'],
    ['kvBlockTokens', 16, pytorch, '--cache-block-seq-len 16'],
    ['contextTokensPerSequence', 8192, turbomind, '--session-len 8192'],
    ['maxSequences', 64, turbomind, '--max-batch-size 64'],
    ['prefillTokensPerStep', 2048, having({ maxSequences: 64 }), '--num-tokens-per-iter 2112'],
    ['prefillTokensPerStep', 16384, turbomind, '--num-tokens-per-iter 16384 --max-prefill-token-num 16384'],
    ['prefillTokensPerStep', 2048, pytorch, '--max-prefill-token-num 2048'],
    ['chunkedPrefill', 'off', turbomind, ''],
    ['chunkedPrefill', 'on', having({ prefillTokensPerStep: 2048 }), 'by prefillTokensPerStep'],
    ['chunkedPrefill', 'on', pytorch, ''],
    ['cudaGraphs', 'off', turbomind, ''],
    ['cudaGraphs', 'off', pytorch, '--eager-mode'],
    ['cudaGraphMaxBatch', 64, having({ maxSequences: 64 }, pytorch), 'by maxSequences'],
    ['apiKeySecret', 'INFERLOOM_SECRET_KEY', turbomind, '--api-keys $INFERLOOM_SECRET_KEY'],
    ['speculation', 'eagle3', pytorch, '--speculative-algorithm eagle3'],
    ['speculation', 'mtp', of('DeepSeek-V3', pytorch), '--speculative-algorithm deepseek_mtp'],
    ['speculation', 'mtp', of('Qwen3.5-27B', pytorch), '--speculative-algorithm qwen3_5_mtp'],
    ['draftTokens', 3, having({ speculation: 'eagle3' }, pytorch), '--speculative-num-draft-tokens 3'],
    ['structuredOutputBackend', 'xgrammar', turbomind, ''],
    ['metricsEndpoint', 'off', turbomind, '--disable-metrics'],
    [
      'torchProfilerFolder',
      '/traces/',
      pytorch,
      'LMDEPLOY_PROFILE_CUDA=1 LMDEPLOY_PROFILE_OUT_PREFIX=/traces/lmdeploy_',
    ],
    ['tensorParallel', 4, turbomind, '--tp 4'],
    ['dataParallel', 2, having({ tensorParallel: 4 }), '--dp 2'],
    ['expertParallel', 8, having({ tensorParallel: 8 }), '--ep 8'],
    ['contextParallel', 2, having({ tensorParallel: 8 }), '--cp 2'],
    ['attentionDataParallel', 8, having({ tensorParallel: 8 }), '--dp 8'],
    ['tensorParallel', 8, having({ attentionDataParallel: 8, expertParallel: 8 }), '--tp 1'],
    ['tensorParallel', 8, having({ attentionDataParallel: 8 }), '--tp 8'],
    [
      'loraAdapters',
      [
        { name: 'a', source: 'x' },
        { name: 'b', source: 'y' },
      ],
      pytorch,
      '--adapters a=x b=y',
    ],
    ['topK', 40, turbomind, '{"top_k":40}'],
    ['beams', 1, turbomind, ''],
  ])('%s %s', (name, value, situation, words) => {
    expect(lower(name, value, situation)).toBe(words);
  });

  it.each<[SettingName, unknown, Situation, RegExp]>([
    ['weightsFormat', 'gguf:Q4_K_M', turbomind, /no GGUF/],
    ['weightsFormat', 'safetensors:bfloat16', on('MI300X'), /NVIDIA GPUs/],
    [
      'weightsFormat',
      'safetensors:bfloat16',
      { ...turbomind, hardware: { kind: 'cpu', id: 'cpu-local', count: 1 } },
      /is a CPU/,
    ],
    ['computeDtype', 'float32', turbomind, /float16 or bfloat16/],
    ['flashAttention', 'on', turbomind, /can be chosen or switched off/],
    ['attentionBackend', 'triton', turbomind, /no choice/],
    ['torchCompile', 'on', turbomind, /torch\.compile/],
    ['cudaGraphs', 'on', turbomind, /TurboMind captures no/],
    ['cudaGraphMaxBatch', 8, pytorch, /up to the largest batch/],
    ['operatorFusion', 'on', turbomind, /fixed in the kernels/],
    ['kvCacheKeyType', 'FP8', turbomind, /TurboMind refuses an FP8 cache/],
    ['kvCacheKeyType', 'FP8', on('A100-SXM-80GB', pytorch), /8\.9/],
    ['kvCacheKeyType', 'BF16', turbomind, /follows --dtype/],
    ['kvCacheKeyType', 'Q8_0', turbomind, /no Q8_0 cache/],
    ['kvCacheKeyType', 'INT8', having({ kvCacheValueType: 'INT4' }), /in one type/],
    ['kvBlockTokens', 48, turbomind, /multiple of 32/],
    ['kvBlockTokens', 32, on('T4'), /multiple of 64/],
    ['kvBlockTokens', 64, having({ loraAdapters: [{ name: 'a', source: 'b' }] }, pytorch), /not a choice/],
    ['chunkedPrefill', 'on', turbomind, /where a step has a size/],
    ['chunkedPrefill', 'off', pytorch, /cuts every prompt/],
    ['queueLimit', 8, turbomind, /they wait, without a bound/],
    ['speculation', 'eagle3', turbomind, /only the pytorch runtime/],
    ['speculation', 'eagle3', { ...pytorch, checkpoints: [llama] }, /needs a draft/],
    ['speculation', 'draft-model', pytorch, /not by draft-model/],
    ['speculation', 'mtp', pytorch, /not for Llama-3\.1-8B/],
    ['draftTokens', 3, pytorch, /without speculation/],
    ['structuredOutputBackend', 'outlines', turbomind, /xgrammar only/],
    ['schedulingPolicy', 'priority', turbomind, /no priority/],
    ['preemption', 'swap', turbomind, /computes them again/],
    ['tensorParallel', 16, turbomind, /need 16 devices/],
    ['tensorParallel', 8, having({ attentionDataParallel: 3 }), /do not divide/],
    ['pipelineParallel', 2, turbomind, /no pipeline/],
    ['dataParallel', 2, pytorch, /--proxy-url/],
    ['attentionDataParallel', 3, having({ tensorParallel: 8 }), /evenly/],
    ['expertParallel', 8, having({ tensorParallel: 8 }, pytorch), /--proxy-url/],
    ['contextParallel', 2, having({ tensorParallel: 8 }, pytorch), /only TurboMind/],
    ['loraAdapters', [{ name: 'a', source: 'b' }], turbomind, /only the pytorch runtime/],
    ['loraMaxRank', 16, pytorch, /from the adapters/],
    ['torchProfilerFolder', '/t', turbomind, /no torch profiler/],
    ['threads', 4, turbomind, /on a GPU/],
    ['kvTier', 'host-memory', turbomind, /no tier/],
    ['beams', 4, turbomind, /no beam search/],
  ])('refuses %s %s', (name, value, situation, reason) => {
    expect(lower(name, value, situation)).toMatch(/^no: /);
    expect(lower(name, value, situation)).toMatch(reason);
  });

  it.each<[string, string, Situation, RegExp]>([
    ['awq-int4', 'checkpoint', on('RTX-4090'), / --backend turbomind --model-format awq$/],
    ['gptq-int4', 'checkpoint', turbomind, / --model-format gptq$/],
    ['gptq-int4', 'checkpoint', pytorch, /^no: .*runtime turbomind/],
    ['w4a16', 'checkpoint', turbomind, / --model-format compressed-tensors$/],
    ['fp8-block', 'checkpoint', turbomind, / --model-format fp8$/],
    ['fp8-block', 'checkpoint', on('A100-SXM-80GB'), /--model-format fp8 \| but: .*computes in 16/],
    ['fp8-block', 'checkpoint', on('A100-SXM-80GB', pytorch), /^no: .*8\.9/],
    ['fp8-block', 'online', pytorch, / --backend pytorch --model-format fp8$/],
    ['fp8-block', 'online', turbomind, /^no: only the pytorch runtime/],
    ['awq-int4', 'online', turbomind, /^no: .*lmdeploy lite/],
    ['int8-w8a8', 'checkpoint', pytorch, / --backend pytorch$/],
    ['int8-w8a8', 'checkpoint', turbomind, /^no: .*runtime pytorch/],
    ['int8-w8a8', 'checkpoint', on('B200', pytorch), /test first/],
    ['mxfp4', 'checkpoint', turbomind, / --model-format mxfp4$/],
    ['nvfp4', 'checkpoint', on('B200'), /^no: LMDeploy reads no nvfp4/],
    ['bnb-nf4', 'checkpoint', pytorch, /^no: LMDeploy reads no bnb-nf4/],
  ])('reads %s from a %s', (scheme, source, situation, expected) => {
    const format = `safetensors:${scheme}`;
    const checkpoints = [{ ...llama, format, source: source as 'checkpoint' | 'online' }];
    expect(lower('weightsFormat', format, { ...situation, checkpoints })).toMatch(expected);
  });

  it('turns a share of the device into one of what weights leave free', () => {
    // Llama-3.1-8B in BF16 takes 15.0 of 74.5 GiB: (0.9 × 74.5 − 15.0) ÷ (74.5 − 15.0) = 0.87.
    expect(lower('memoryFraction', 0.9)).toBe('--cache-max-entry-count 0.87');
    expect(lower('memoryFraction', 0.1)).toMatch(/^no: the weights alone/);
    expect(lower('memoryFraction', 0.9, of('acme-7b', turbomind))).toMatch(/^no: the size of the weights/);
  });

  it('warns of speculation off Hopper and gives the draft its argument', () => {
    const values = { speculation: 'eagle3' as const };
    expect(lower('speculation', 'eagle3', on('A100-SXM-80GB', pytorch))).toMatch(/eagle3 \| but: .*Hopper/);
    expect(lower('weightsFormat', 'safetensors:bfloat16', having(values, pytorch), 'draft')).toBe(
      '--speculative-draft-model acme/eagle3',
    );
    expect(lower('weightsFormat', 'safetensors:bfloat16', pytorch, 'draft')).toMatch(/without speculation/);
  });

  it.each([
    ['RuntimeError: No enough gpu memory for kv cache.', 'out-of-memory'],
    ['AssertionError: invalid quant_policy for TurboMind, FP8 quantization is not supported', 'kv-type-unknown'],
    ['AssertionError: kv cache quantization only works for CUDA and ASCEND.', 'kv-type-unknown'],
    [
      'AssertionError: mismatched quant method: user input "awq" vs model quant_config "gptq"',
      'weights-format-unsupported',
    ],
    [
      'AssertionError: no valid parallel config: dp=8, tp=1, ep=4, cp=1, device_num=None, available_devices=8',
      'heads-not-divisible',
    ],
    ['AssertionError: kernel_block_size must be >= 16 and a power of 2, but got 8', 'page-size-refused'],
    ['AssertionError: Multiple lora paths must in format of xxx=yyy. But given: /adapters/a', 'lora-names'],
    ["lmdeploy serve api_server: error: argument --backend: invalid choice: 'vllm'", 'unknown-flag'],
    ["RuntimeError: Failed to find valid checkpoint under '/models/empty'", 'model-load-failed'],
  ])('knows the line %s', (line, code) => {
    expect(lmdeploy.failures.find((failure) => failure.pattern.test(line))?.code).toBe(code);
  });
});

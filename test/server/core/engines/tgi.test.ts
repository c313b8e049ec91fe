import { describe, expect, it } from 'vitest';
import { tgi } from '@/server/core/engines/tgi';
import type { Scope, SettingName } from '@/server/core/plan/settings';
import { checkpoint, lowerShort, type Situation } from '@/test/fixtures/lowering-context';

const llama = checkpoint({
  model: 'Llama-3.1-8B',
  repo: 'meta-llama/Llama-3.1-8B-Instruct',
  format: 'safetensors:bfloat16',
  fileName: 'meta-llama/Llama-3.1-8B-Instruct',
});
const on = (id: string, count = 1): Situation => ({
  version: '3.3.7',
  checkpoints: [llama],
  hardware: { kind: 'gpu', id, count },
});
const h100 = on('H100-SXM', 2);
const a100 = on('A100-80GB-SXM');
const cpu: Situation = { ...h100, hardware: { kind: 'cpu', id: 'cpu-local', count: 1 } };
const withValues = (values: Situation['values'], situation: Situation = h100): Situation => ({ ...situation, values });
const lower = (name: SettingName, value: unknown, situation: Situation = h100, scope: Scope = 'target'): string =>
  lowerShort(tgi, name, value as never, situation, scope);
const weights = (format: string, situation: Situation = h100, source: 'checkpoint' | 'online' = 'checkpoint'): string =>
  lower('weightsFormat', format, { ...situation, checkpoints: [{ ...llama, repo: 'org/model', format, source }] });

describe('TGI', () => {
  it('says in its title that it is maintained only', () => {
    expect(tgi.title).toMatch(/maintenance mode/);
  });

  it.each<[SettingName, unknown, string]>([
    ['computeDtype', 'bfloat16', '--dtype bfloat16'],
    ['flashAttention', 'on', 'ATTENTION=flashdecoding'],
    ['attentionBackend', 'flashinfer', 'ATTENTION=flashinfer'],
    ['attentionBackend', 'flash-attention-2', 'ATTENTION=flashdecoding'],
    ['torchCompile', 'off', ''],
    ['cudaGraphs', 'on', 'CUDA_GRAPHS=1,2,4,8,16,32'],
    ['cudaGraphs', 'off', 'CUDA_GRAPHS=0'],
    ['cudaGraphMaxBatch', 48, 'CUDA_GRAPHS=1,2,4,8,16,32,48'],
    ['operatorFusion', 'on', ''],
    ['operatorFusion', 'off', '--disable-custom-kernels'],
    ['kvCacheKeyType', 'FP8', '--kv-cache-dtype fp8_e4m3fn'],
    ['kvCacheKeyType', 'FP8_E5M2', '--kv-cache-dtype fp8_e5m2'],
    ['prefixCaching', 'on', 'PREFIX_CACHING=1'],
    ['prefixCaching', 'off', 'PREFIX_CACHING=0'],
    ['kvBlockTokens', 1, 'by attentionBackend'],
    ['contextTokensPerSequence', 4096, '--max-total-tokens 4096'],
    ['maxSequences', 64, '--max-batch-size 64'],
    ['prefillTokensPerStep', 2048, '--max-batch-prefill-tokens 2048'],
    ['apiKeySecret', 'INFERLOOM_SECRET_KEY', 'API_KEY=$INFERLOOM_SECRET_KEY'],
    ['speculation', 'off', ''],
    ['structuredOutputBackend', 'outlines', ''],
    ['chunkedPrefill', 'on', 'PREFILL_CHUNKING=1'],
    ['chunkedPrefill', 'off', 'PREFILL_CHUNKING=0'],
    ['schedulingPolicy', 'first-come', ''],
    ['preemption', 'never', ''],
    ['streamIntervalTokens', 1, ''],
    ['metricsEndpoint', 'on', ''],
    ['tensorParallel', 2, '--num-shard 2'],
    ['pipelineParallel', 1, ''],
    ['memoryFraction', 0.9, '--cuda-memory-fraction 0.9'],
    ['temperature', 0.5, '{"temperature":0.5}'],
    ['topP', 0.9, '{"top_p":0.9}'],
    ['beams', 1, ''],
  ])('%s %s → %s', (name, value, words) => {
    expect(lower(name, value)).toBe(words);
  });

  it.each<[SettingName, unknown, Situation, RegExp]>([
    ['computeDtype', 'float32', h100, /float16 or bfloat16/],
    ['attentionBackend', 'flash-attention-3', h100, /no flash-attention-3/],
    ['attentionBackend', 'flashinfer', on('MI300X'), /are for NVIDIA GPUs/],
    ['attentionBackend', 'flashinfer', on('T4'), /falls back to paged attention; T4 has compute capability 7\.5/],
    ['torchCompile', 'on', h100, /not used/],
    ['cudaGraphs', 'on', cpu, /need a GPU/],
    ['cudaGraphMaxBatch', 64, withValues({ cudaGraphs: 'off' }), /are off/],
    ['kvCacheKeyType', 'INT8', h100, /no INT8 cache/],
    ['kvCacheKeyType', 'NVFP4', h100, /no NVFP4 cache/],
    ['kvCacheKeyType', 'FP8_E5M2', on('MI300X'), /E4M3 only/],
    ['kvCacheKeyType', 'FP8', on('T4'), /compute capability 8\.0/],
    ['kvCacheKeyType', 'FP8', withValues({ attentionBackend: 'flash-attention-2' }), /not with flashdecoding/],
    ['kvCacheKeyType', 'FP8', withValues({ kvCacheValueType: 'FP8_E5M2' }), /in one type/],
    ['prefixCaching', 'on', on('T4'), /needs flashinfer/],
    ['staticKvCache', 'on', h100, /in pages/],
    ['kvBlockTokens', 16, h100, /follows the kernels/],
    ['slidingWindow', 'off', h100, /always applied/],
    ['slidingWindowTokens', 1024, h100, /imposed/],
    ['kvTier', 'host-memory', h100, /no tier/],
    ['kvEviction', 'rocket', h100, /never dropped/],
    ['sinkTokens', 4, h100, /sinks/],
    ['threads', 4, h100, /not a setting/],
    ['queueLimit', 16, h100, /running and waiting requests together/],
    ['speculation', 'eagle3', withValues({ draftTokens: 3 }), /only Medusa, MLP heads and n-gram/],
    ['speculation', 'draft-model', withValues({ draftTokens: 3 }), /only Medusa/],
    ['speculation', 'mtp', withValues({ draftTokens: 3 }), /only Medusa/],
    ['speculation', 'medusa', withValues({ draftTokens: 3 }), /repository of its heads/],
    ['promptLookupMaxTokens', 3, h100, /without speculation/],
    ['flashAttention', 'on', cpu, /are for NVIDIA GPUs/],
    ['prefixCaching', 'on', on('MI300X'), /needs flashinfer/],
    ['draftTreeTopK', 2, h100, /chains/],
    ['structuredOutputBackend', 'xgrammar', h100, /outlines/],
    ['schedulingPolicy', 'priority', h100, /no priority/],
    ['preemption', 'recompute', h100, /never stopped/],
    ['batchWaitMs', 10, h100, /decode steps/],
    ['metricsEndpoint', 'off', h100, /always served/],
    ['torchProfilerFolder', '/traces', h100, /no profiler/],
    ['tensorParallel', 4, h100, /need 4 devices; there are 2/],
    ['pipelineParallel', 2, h100, /only tensor parallelism/],
    ['dataParallel', 2, h100, /replicas/],
    ['expertParallel', 2, h100, /only tensor parallelism/],
    ['cpuOffloadBytes', 1, h100, /stay on the GPU/],
    ['loraMaxRank', 8, h100, /read from the adapters/],
    ['memoryFraction', 0.9, cpu, /GPU memory/],
    ['topK', 10, h100, /\/generate only/],
    ['minP', 0.1, h100, /min_p/],
    ['beams', 4, h100, /no beam search/],
  ])('refuses %s %s', (name, value, situation, reason) => {
    expect(lower(name, value, situation)).toMatch(/^no: /);
    expect(lower(name, value, situation)).toMatch(reason);
  });

  it('bounds what runs and what waits together', () => {
    expect(lower('queueLimit', 36, withValues({ maxSequences: 64 }))).toBe('--max-concurrent-requests 100');
  });

  it('keeps the cache in the compute type, or one flag for keys and values', () => {
    expect(lower('kvCacheKeyType', 'BF16', withValues({ computeDtype: 'bfloat16' }))).toBe('by computeDtype');
    expect(lower('kvCacheValueType', 'FP8', withValues({ kvCacheKeyType: 'FP8' }))).toBe('by kvCacheKeyType');
    expect(lower('kvBlockTokens', 256, withValues({ attentionBackend: 'flash-attention-2' }))).toBe(
      'by attentionBackend',
    );
  });

  it('names adapters as requests will', () => {
    expect(lower('loraAdapters', [{ name: 'sql', source: '/adapters/sql' }])).toBe('--lora-adapters sql=/adapters/sql');
    expect(lower('loraAdapters', [{ name: 'sql', source: 'org/sql-lora' }])).toMatch(
      /^--lora-adapters org\/sql-lora \| but: .*by its repository: org\/sql-lora/,
    );
    const withAdapters = withValues({ loraAdapters: [{ name: 'a', source: 'org/a' }] });
    expect(lower('prefixCaching', 'on', withAdapters)).toMatch(/^PREFIX_CACHING=1 \| but: /);
  });

  it('pins images by device', () => {
    const image = (id: string, kind: 'cpu' | 'gpu' = 'gpu') => tgi.image({ hardware: { id, kind }, version: '3.3.7' });
    expect(image('H100-SXM')).toBe('ghcr.io/huggingface/text-generation-inference:3.3.7');
    expect(image('MI300X')).toMatch(/:3\.3\.7-rocm$/);
    expect(image('Gaudi3')).toMatch(/:3\.3\.7-gaudi$/);
    expect(image('cpu-local', 'cpu')).toMatch(/:3\.3\.7-intel-cpu$/);
  });
});

describe('weights of TGI', () => {
  it.each<[string, Situation, 'checkpoint' | 'online', string]>([
    ['safetensors:bfloat16', h100, 'checkpoint', '--model-id org/model'],
    ['safetensors:awq-int4', a100, 'checkpoint', '--model-id org/model --quantize awq'],
    ['safetensors:gptq-int4', a100, 'checkpoint', '--model-id org/model --quantize gptq'],
    ['safetensors:gptq-int4', on('MI300X'), 'checkpoint', '--model-id org/model --quantize gptq'],
    ['safetensors:w4a16', a100, 'checkpoint', '--model-id org/model --quantize compressed-tensors'],
    ['safetensors:int8-w8a8', a100, 'checkpoint', '--model-id org/model --quantize compressed-tensors'],
    ['safetensors:fp8', h100, 'checkpoint', '--model-id org/model'],
    ['safetensors:fp8', h100, 'online', '--model-id org/model --quantize fp8'],
    ['safetensors:int8-weight-only', a100, 'online', '--model-id org/model --quantize eetq'],
    ['safetensors:bnb-nf4', a100, 'online', '--model-id org/model --quantize bitsandbytes-nf4'],
  ])('%s on %o from %s → %s', (format, situation, source, words) => {
    expect(weights(format, situation, source)).toBe(words);
  });

  it.each<[string, Situation, 'checkpoint' | 'online', RegExp]>([
    ['safetensors:nvfp4', h100, 'checkpoint', /nvfp4 is not among its quantizations/],
    ['safetensors:mxfp4', h100, 'checkpoint', /not among/],
    ['gguf:Q4_K_M', h100, 'checkpoint', /separate llama\.cpp backend/],
    ['safetensors:fp8', on('T4'), 'checkpoint', /compute capability 8\.0/],
    ['safetensors:awq-int4', on('MI300X'), 'checkpoint', /no awq-int4 kernels for AMD/],
    ['safetensors:awq-int4', cpu, 'checkpoint', /run on GPUs/],
    ['safetensors:gptq-int4', a100, 'online', /cannot quantize a plain checkpoint to gptq-int4/],
    ['safetensors:bnb-nf4', a100, 'checkpoint', /while loading only/],
  ])('refuses %s', (format, situation, source, reason) => {
    expect(weights(format, situation, source)).toMatch(/^no: /);
    expect(weights(format, situation, source)).toMatch(reason);
  });

  it('warns where FP8 is weights only, a method is deprecated, or a GPU is newer than the kernels', () => {
    expect(weights('safetensors:fp8', a100)).toMatch(/but: FP8 weights only \(Marlin W8A16\)/);
    expect(weights('safetensors:bnb-int8', a100, 'online')).toMatch(/but: 8-bit bitsandbytes is deprecated/);
    expect(weights('safetensors:awq-int4', on('B200-SXM'))).toMatch(/but: TGI names no Blackwell kernels/);
    expect(lower('weightsSparsity', '2:4')).toMatch(/but: .*marlin_24/);
  });

  it('excludes a compute type beside a quantization', () => {
    const awq = { ...h100, checkpoints: [{ ...llama, format: 'safetensors:awq-int4' }] };
    expect(lower('computeDtype', 'float16', awq)).toMatch(/exclude each other/);
  });

  it('is given the repository of the heads', () => {
    const heads = checkpoint({ scope: 'draft', repo: 'org/medusa-heads', format: 'safetensors:float16' });
    const medusa = withValues({ speculation: 'medusa', draftTokens: 3 }, { ...a100, checkpoints: [llama, heads] });
    expect(lower('weightsFormat', 'safetensors:bfloat16', medusa)).toBe('--model-id org/medusa-heads');
    expect(lower('weightsFormat', 'safetensors:float16', medusa, 'draft')).toBe('by weightsFormat');
    expect(lower('speculation', 'medusa', medusa)).toBe('--speculate 3');
    expect(lower('speculation', 'prompt-lookup', withValues({ draftTokens: 2 }))).toBe('--speculate 2');
    const lookup = withValues({ speculation: 'prompt-lookup', draftTokens: 2 });
    expect(lower('promptLookupMinTokens', 1, lookup)).toBe('by speculation');
    expect(lower('promptLookupMaxTokens', 4, lookup)).toMatch(/^by speculation \| but: .*the last token only/);
  });
});

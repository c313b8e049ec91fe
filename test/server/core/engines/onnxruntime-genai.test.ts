import { describe, expect, it } from 'vitest';
import { onnxruntimeGenai } from '@/server/core/engines/onnxruntime-genai';
import type { Scope, SettingName } from '@/server/core/plan/settings';
import { checkpoint, lowerShort, type Situation } from '@/test/fixtures/lowering-context';

const llama = checkpoint({
  model: 'Llama-3.2-1B',
  repo: 'meta-llama/Llama-3.2-1B-Instruct',
  format: 'safetensors:bfloat16',
});
const cpu: Situation = {
  version: '0.15.2',
  checkpoints: [llama],
  hardware: { kind: 'cpu', id: 'cpu-local', count: 1 },
};
const on = (id: string): Situation => ({ ...cpu, hardware: { kind: 'gpu', id, count: 1 } });
const gpu = on('A10');
const withValues = (values: Situation['values'], situation: Situation = gpu): Situation => ({ ...situation, values });
const lower = (name: SettingName, value: unknown, situation: Situation = gpu, scope: Scope = 'target'): string =>
  lowerShort(onnxruntimeGenai, name, value as never, situation, scope);
const weights = (format: string, situation: Situation, source: 'checkpoint' | 'online' = 'online'): string =>
  lower('weightsFormat', format, { ...situation, checkpoints: [{ ...llama, format, source }] });
const built = (options: string) => `--model_name meta-llama/Llama-3.2-1B-Instruct --output /models/onnx ${options}`;

describe('ONNX Runtime GenAI', () => {
  it('says that nothing of it can be started', () => {
    expect(onnxruntimeGenai.title).toMatch(/no server/);
    expect(onnxruntimeGenai.noServer?.reason).toMatch(/cannot start or measure it/);
    expect(onnxruntimeGenai.image({ hardware: { kind: 'gpu', id: 'A10' }, version: '0.15.2' })).toBeNull();
  });

  it.each<[string, Situation, 'checkpoint' | 'online', string]>([
    ['safetensors:bfloat16', cpu, 'checkpoint', '--precision fp32 --execution_provider cpu'],
    ['safetensors:bfloat16', gpu, 'checkpoint', '--precision bf16 --execution_provider cuda'],
    ['safetensors:float16', on('T4'), 'checkpoint', '--precision fp16 --execution_provider cuda'],
    ['safetensors:w4a16', cpu, 'online', '--precision int4 --execution_provider cpu --extra_options accuracy_level=4'],
    ['safetensors:int8-weight-only', gpu, 'online', '--precision int8 --execution_provider cuda'],
    ['safetensors:awq-int4', gpu, 'checkpoint', '--precision int4 --execution_provider cuda'],
  ])('builds %s', (format, situation, source, options) => {
    expect(weights(format, situation, source)).toBe(built(options));
  });

  it.each<[string, Situation, 'checkpoint' | 'online', RegExp]>([
    ['safetensors:bfloat16', on('T4'), 'checkpoint', /BF16 export is for Ampere/],
    ['safetensors:bfloat16', on('MI300X'), 'checkpoint', /only DirectML and WebGPU/],
    ['safetensors:int8-w8a8', gpu, 'online', /quantize_static/],
    ['safetensors:fp8', gpu, 'online', /no FP8 export/],
    ['safetensors:nvfp4', gpu, 'checkpoint', /no NVFP4 export/],
    ['safetensors:bnb-nf4', gpu, 'online', /pass of Olive/],
    ['safetensors:w4a16', gpu, 'checkpoint', /compressed-tensors it does not read/],
    ['safetensors:awq-int4', gpu, 'online', /does not make them/],
    ['safetensors:mxfp4', cpu, 'online', /need the CUDA provider/],
    ['gguf:Q4_K_M', cpu, 'checkpoint', /quantized GGUF files it does not/],
  ])('refuses %s', (format, situation, source, reason) => {
    expect(weights(format, situation, source)).toMatch(/^no: /);
    expect(weights(format, situation, source)).toMatch(reason);
  });

  it('keeps all builder options in one argument', () => {
    const values = {
      cudaGraphs: 'on' as const,
      computeDtype: 'bfloat16' as const,
      loraAdapters: [{ name: 'sql', source: '/adapters/sql' }],
    };
    expect(weights('safetensors:w4a16', withValues(values))).toBe(
      built(
        '--precision int4 --execution_provider cuda --extra_options use_cuda_bf16=true enable_cuda_graph=true adapter_path=/adapters/sql',
      ),
    );
    expect(lower('cudaGraphs', 'on', withValues({ staticKvCache: 'on' }))).toBe('by weightsFormat');
    expect(lower('loraAdapters', values.loraAdapters)).toBe('by weightsFormat');
    expect(weights('safetensors:mxfp4', gpu)).toMatch(/moe_quant_type=mxfp4 \| but: only the experts/);
    expect(weights('gguf:F16', cpu, 'checkpoint')).toMatch(/^--input /);
  });

  it.each<[SettingName, unknown, string]>([
    ['computeDtype', 'bfloat16', 'by weightsFormat'],
    ['weightsSparsity', 'structured', 'by weightsFormat'],
    ['operatorFusion', 'on', 'model.decoder.session_options.graph_optimization_level: "ORT_ENABLE_ALL"'],
    ['staticKvCache', 'on', 'search.past_present_share_buffer: true'],
    ['kvBlockTokens', 256, 'engine.dynamic_batching.block_size: 256'],
    ['contextTokensPerSequence', 4096, 'search.max_length: 4096'],
    ['maxSequences', 1, 'search.batch_size: 1'],
    ['prefillTokensPerStep', 512, 'search.chunk_size: 512'],
    ['threads', 8, 'model.decoder.session_options.intra_op_num_threads: 8'],
    ['temperature', 0, 'search.temperature: 0, search.do_sample: false'],
    ['topP', 0.9, 'search.top_p: 0.9, search.do_sample: true'],
    ['topK', 20, 'search.top_k: 20, search.do_sample: true'],
    ['beams', 4, 'search.num_beams: 4'],
    ['speculation', 'off', ''],
  ])('%s %s → %s', (name, value, words) => {
    expect(lower(name, value)).toBe(words);
  });

  it.each<[SettingName, unknown, Situation, RegExp]>([
    ['flashAttention', 'on', gpu, /GroupQueryAttention/],
    ['attentionBackend', 'flashinfer', gpu, /GroupQueryAttention/],
    ['torchCompile', 'on', gpu, /ONNX graph/],
    ['cudaGraphs', 'on', cpu, /CUDA provider/],
    ['cudaGraphs', 'on', withValues({ staticKvCache: 'off' }), /shared buffer/],
    ['kvCacheKeyType', 'INT8', gpu, /file of scales/],
    ['kvCacheKeyType', 'Q8_0', gpu, /no Q8_0 cache/],
    ['kvCacheKeyType', 'F16', gpu, /ask for float16/],
    ['prefixCaching', 'on', gpu, /no prefix is kept/],
    ['kvBlockTokens', 16, gpu, /multiple of 256/],
    ['apiKeySecret', 'INFERLOOM_SECRET_KEY', gpu, /no HTTP server/],
    ['queueLimit', 4, gpu, /no HTTP server/],
    ['metricsEndpoint', 'on', gpu, /no HTTP server/],
    ['speculation', 'draft-model', gpu, /roadmap/],
    ['chunkedPrefill', 'on', gpu, /need their size/],
    ['tensorParallel', 2, gpu, /one device/],
    ['memoryFraction', 0.9, gpu, /what is free/],
    ['minP', 0.1, gpu, /min_p/],
    [
      'loraAdapters',
      [
        { name: 'a', source: 'a' },
        { name: 'b', source: 'b' },
      ],
      gpu,
      /one adapter/,
    ],
  ])('%s %s: a reason', (name, value, situation, reason) => {
    expect(lower(name, value, situation)).toMatch(reason);
  });

  it('batches through og.Engine only', () => {
    expect(lower('maxSequences', 16)).toMatch(/max_batch_size: 16 \| but: .*og\.Engine/);
    expect(lower('kvCacheKeyType', 'F16', withValues({ computeDtype: 'float16' }))).toBe('by computeDtype');
    expect(lower('weightsFormat', 'safetensors:bfloat16', gpu, 'draft')).toMatch(/no speculation/);
  });
});

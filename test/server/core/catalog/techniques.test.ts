import { describe, expect, it } from 'vitest';
import { describeParams } from '@/server/core/catalog/param';
import { TECHNIQUES } from '@/server/core/catalog/techniques/index';
import { SETTING_NAMES, WEIGHT_SCHEMES } from '@/server/core/plan/settings';
import { at } from '@/test/fixtures/technique';

/** type, parameters, what it asks for, label, loss. */
const TABLE: readonly [string, Record<string, unknown>, Record<string, unknown>, string | null, string][] = [
  ['gguf-quantization', { type: 'IQ2_XS' }, { weightsFormat: 'gguf:IQ2_XS' }, 'IQ2_XS', 'over-3-percent'],
  ['gguf-quantization', { type: 'Q8_0' }, { weightsFormat: 'gguf:Q8_0' }, 'Q8_0', 'under-1-percent'],
  ['fp8', {}, { weightsFormat: 'safetensors:fp8' }, 'FP8', 'under-1-percent'],
  [
    'fp8',
    { scales: 'block', source: 'checkpoint' },
    { weightsFormat: 'safetensors:fp8-block' },
    'FP8 block',
    'under-1-percent',
  ],
  [
    'fp8',
    { scales: 'static', source: 'recipe' },
    { weightsFormat: 'safetensors:fp8-static' },
    'FP8 static',
    'under-1-percent',
  ],
  ['int8-w8a8', {}, { weightsFormat: 'safetensors:int8-w8a8' }, 'INT8 W8A8', 'under-1-percent'],
  ['int8-weight-only', {}, { weightsFormat: 'safetensors:int8-weight-only' }, 'INT8 weights', 'under-1-percent'],
  ['awq', {}, { weightsFormat: 'safetensors:awq-int4' }, 'AWQ', '1-to-3-percent'],
  ['gptq', {}, { weightsFormat: 'safetensors:gptq-int4' }, 'GPTQ INT4', '1-to-3-percent'],
  ['gptq', { bits: '8' }, { weightsFormat: 'safetensors:gptq-int8' }, 'GPTQ INT8', 'under-1-percent'],
  ['w4a16', {}, { weightsFormat: 'safetensors:w4a16' }, 'W4A16', '1-to-3-percent'],
  ['nvfp4', {}, { weightsFormat: 'safetensors:nvfp4' }, 'NVFP4', '1-to-3-percent'],
  ['mxfp4', {}, { weightsFormat: 'safetensors:mxfp4' }, 'MXFP4', '1-to-3-percent'],
  ['mxfp8', {}, { weightsFormat: 'safetensors:mxfp8' }, 'MXFP8', 'under-1-percent'],
  ['bitsandbytes-nf4', {}, { weightsFormat: 'safetensors:bnb-nf4' }, 'bnb NF4', '1-to-3-percent'],
  ['bitsandbytes-int8', {}, { weightsFormat: 'safetensors:bnb-int8' }, 'bnb INT8', 'under-1-percent'],
  ['compute-dtype', {}, { computeDtype: 'float16' }, 'float16', 'none'],
  ['structured-pruning', { source: 'recipe' }, { weightsSparsity: 'structured' }, '4 layers out', 'over-3-percent'],
  [
    'sparse-pruning',
    { pattern: 'unstructured', source: 'recipe', percent: 20 },
    { weightsSparsity: 'unstructured' },
    'sparse',
    'under-1-percent',
  ],
  ['sparse-pruning', { repo: 'a/b' }, { weightsSparsity: '2:4' }, '2:4 sparse', 'over-3-percent'],
  ['distilled-student', { model: 'Qwen2.5-0.5B' }, {}, 'student: Qwen2.5-0.5B', 'over-3-percent'],
  [
    'attention-backend',
    { backend: 'flash-attention-3' },
    { attentionBackend: 'flash-attention-3' },
    'flash-attention-3',
    'none',
  ],
  ['torch-compile', { state: 'off' }, { torchCompile: 'off' }, 'compile off', 'none'],
  ['cuda-graphs', { maxBatch: 64 }, { cudaGraphs: 'on', cudaGraphMaxBatch: 64 }, 'CUDA graphs on', 'none'],
  ['cuda-graphs', { state: 'off', maxBatch: 64 }, { cudaGraphs: 'off' }, 'CUDA graphs off', 'none'],
  ['operator-fusion', {}, { operatorFusion: 'on' }, 'fusion on', 'none'],
  [
    'kv-cache-type',
    { key: 'FP8', value: 'FP8' },
    { kvCacheKeyType: 'FP8', kvCacheValueType: 'FP8' },
    'KV FP8',
    'under-1-percent',
  ],
  [
    'kv-cache-type',
    { key: 'INT4', value: 'INT4' },
    { kvCacheKeyType: 'INT4', kvCacheValueType: 'INT4' },
    'KV INT4',
    'lossy',
  ],
  ['kv-block-size', { tokens: 32 }, { kvBlockTokens: 32 }, 'KV block 32', 'none'],
  ['static-kv-cache', {}, { staticKvCache: 'on' }, 'static cache on', 'none'],
  ['sliding-window', { state: 'off' }, { slidingWindow: 'off' }, 'window off', 'none'],
  ['sliding-window', { tokens: 4096 }, { slidingWindowTokens: 4096 }, 'window 4096', 'lossy'],
  ['kv-eviction', {}, { kvEviction: 'rocket' }, 'eviction rocket', 'lossy'],
  [
    'kv-offload',
    { tier: 'disk', sizeGib: 0.5 },
    { kvTier: 'disk', kvTierBytes: 2 ** 29 },
    'KV tier disk 0.5 GiB',
    'none',
  ],
  ['beam-search', {}, { beams: 4 }, '4 beams', 'none'],
  ['structured-output', {}, { structuredOutputBackend: 'xgrammar' }, 'xgrammar', 'none'],
  [
    'eagle',
    { k: 3, branches: 4, depth: 2 },
    { speculation: 'eagle', draftTokens: 3, draftTreeTopK: 4, draftTreeDepth: 2 },
    'EAGLE k=3',
    'none',
  ],
  ['eagle-3', {}, { speculation: 'eagle3', draftTokens: 4 }, 'EAGLE-3 k=4', 'none'],
  ['mtp', {}, { speculation: 'mtp', draftTokens: 1 }, 'MTP k=1', 'none'],
  ['medusa', {}, { speculation: 'medusa', draftTokens: 3 }, 'Medusa k=3', 'none'],
  ['mlp-speculator', {}, { speculation: 'mlp-speculator', draftTokens: 3 }, 'MLP speculator k=3', 'none'],
  ['dflash', {}, { speculation: 'dflash', draftTokens: 8 }, 'DFlash k=8', 'none'],
  ['suffix-decoding', {}, { speculation: 'suffix', draftTokens: 8 }, 'suffix k=8', 'none'],
  ['chunked-prefill', {}, { chunkedPrefill: 'on' }, 'chunked prefill on', 'none'],
  ['dynamic-batching', {}, { batchWaitMs: 10 }, 'wait 10 ms', 'none'],
  [
    'scheduling-policy',
    { highFirst: false },
    { schedulingPolicy: 'priority', priorityHighFirst: false },
    'priority',
    'none',
  ],
  [
    'scheduling-policy',
    { policy: 'first-come', highFirst: true },
    { schedulingPolicy: 'first-come' },
    'first-come',
    'none',
  ],
  ['preemption', {}, { preemption: 'recompute' }, 'preemption recompute', 'none'],
  ['stream-interval', {}, { streamIntervalTokens: 4 }, 'stream every 4', 'none'],
  ['tensor-parallel', {}, { tensorParallel: 2 }, 'TP2', 'none'],
  ['pipeline-parallel', {}, { pipelineParallel: 2 }, 'PP2', 'none'],
  ['data-parallel', {}, { dataParallel: 2 }, 'DP2', 'none'],
  ['expert-parallel', {}, { expertParallel: 2 }, 'EP2', 'none'],
  ['attention-data-parallel', {}, { attentionDataParallel: 2 }, 'attention DP2', 'none'],
  ['context-parallel', {}, { contextParallel: 2 }, 'CP2', 'none'],
  ['memory-fraction', {}, { memoryFraction: 0.9 }, 'memory 90 %', 'none'],
  ['cpu-offload', {}, { cpuOffloadBytes: 4 * 2 ** 30 }, 'offload 4 GiB', 'none'],
  ['expert-offload', {}, { cpuExpertLayers: 16 }, '16 expert layers on CPU', 'none'],
  ['device-layers', {}, { deviceLayers: 32 }, '32 layers on GPU', 'none'],
  [
    'lora-adapter',
    { name: 'sql', source: 'a/b', maxRank: 32 },
    { loraAdapters: [{ name: 'sql', source: 'a/b' }], loraMaxRank: 32 },
    'LoRA sql',
    'none',
  ],
  ['lora-adapter', {}, {}, null, 'none'],
  ['prompt-lookup', { min: null, max: null }, { speculation: 'prompt-lookup', draftTokens: 4 }, 'lookup k=4', 'none'],
  ['autoscaling', {}, { metricsEndpoint: 'on' }, '1–4 replicas by queueLength', 'none'],
  ['metrics-endpoint', {}, { metricsEndpoint: 'on' }, 'metrics on', 'none'],
  ['torch-profiler', { folder: '/tmp/t' }, { torchProfilerFolder: '/tmp/t' }, 'profiler', 'none'],
];

describe('techniques', () => {
  it.each(TABLE)('%s %o', (type, params, settings, label, loss) => {
    expect(at(type, params)).toMatchObject({ settings, label, loss });
    expect(Object.keys(at(type, params).settings)).toEqual(Object.keys(settings));
  });

  it('are all in one of the tables here or in older tests, and between them set every setting', () => {
    const settable = new Set(TECHNIQUES.flatMap((type) => type.settings));
    expect(SETTING_NAMES.filter((name) => !settable.has(name))).toEqual([]);
  });

  it('together reach every scheme of weights', () => {
    const made = TABLE.map(([type, params]) => at(type, params).settings.weightsFormat);
    expect(WEIGHT_SCHEMES.filter((scheme) => !made.includes(`safetensors:${scheme}`))).toEqual([]);
  });

  it('say what they suit, when they hurt and where that is written', () => {
    for (const type of TECHNIQUES) {
      const facts = type.technique;
      expect(facts?.suits, type.type).toMatch(/\.$/);
      expect(facts?.hurtsWhen, type.type).toMatch(/[.)]$/);
      for (const url of facts?.references ?? []) expect(new URL(url).protocol).toBe('https:');
      for (const p of describeParams(type)) {
        if (p.kind !== 'launch' || p.type !== 'integer') continue;
        expect(
          [p.min, p.max, p.unit].every((part) => part !== null),
          `${type.type}.${p.name}`,
        ).toBe(true);
      }
    }
  });
});

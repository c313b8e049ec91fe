import { describe, expect, it } from 'vitest';
import { countParameters } from '@/server/core/facts/count-parameters';
import { CLOUD_INSTANCES, DEVICE_ALIASES } from '@/server/core/facts/device-aliases';
import { findGgufType, GGUF_QUANTIZATION_TYPES } from '@/server/core/facts/gguf-types';
import { findHardware, findInstance, HARDWARE, nearestHardware } from '@/server/core/facts/hardware';
import { kvBytesPerToken } from '@/server/core/facts/kv-cache';
import { MODEL_ALIASES } from '@/server/core/facts/model-aliases';
import { findModel, MODELS, nearestModels } from '@/server/core/facts/models';

describe('models', () => {
  it('have unique ids and repositories', () => {
    expect(new Set(MODELS.map((m) => m.id)).size).toBe(MODELS.length);
    expect(new Set(MODELS.map((m) => m.repo)).size).toBe(MODELS.length);
  });

  it.each([
    ['inferloom-demo', 'inferloom-demo'],
    ['Demo', 'inferloom-demo'],
    ['qwen/QWEN3-4b', 'Qwen3-4B'],
    ['meta-llama/Llama-3.1-8B-Instruct', 'Llama-3.1-8B'],
    ['HuggingFaceTB/SmolLM2-135M-Instruct', 'SmolLM2-135M'],
  ])('%s is %s', (name, id) => {
    expect(findModel(name)?.id).toBe(id);
  });

  it.each(['', 'nothing', '__proto__', 'constructor'])('%j is none', (name) => {
    expect(findModel(name)).toBeNull();
  });

  it('count the demo model as its file does', () => {
    // 11,684,864 bytes of F16 with a tokenizer: 5.77 M parameters.
    expect(findModel('inferloom-demo')?.paramsTotal).toBe(5_770_496);
    expect(findModel('inferloom-demo-draft')?.paramsTotal).toBe(918_144);
  });

  it('give the demo draft the tokenizer of its target', () => {
    expect(findModel('inferloom-demo-draft')?.tokenizerFamily).toBe(findModel('inferloom-demo')?.tokenizerFamily);
  });

  it('agree with the published KV size of Llama-3.1-8B: 128 KiB a token', () => {
    const llama = findModel('Llama-3.1-8B');
    expect(llama?.kvBytesPerTokenBf16).toBe(131_072);
    expect(2 * (llama?.layers ?? 0) * (llama?.kvHeads ?? 0) * (llama?.headDim ?? 0) * 2).toBe(131_072);
  });
});

describe('hardware', () => {
  it('has unique ids, and the local CPU without invented figures', () => {
    expect(new Set(HARDWARE.map((h) => h.id)).size).toBe(HARDWARE.length);
    expect(findHardware('cpu-local')).toMatchObject({ kind: 'cpu', bandwidthBytesPerS: null, pricePerHourUsd: null });
  });

  it('knows an H100', () => {
    expect(findHardware('h100-sxm')).toMatchObject({ kind: 'gpu', vendor: 'nvidia', computeCapability: '9.0' });
  });
});

describe('names', () => {
  it.each(Object.entries(MODEL_ALIASES))('%s has aliases that mean it alone', (id, names) => {
    expect(findModel(id)?.id).toBe(id);
    for (const name of names) expect(findModel(name)?.id, name).toBe(id);
  });

  it.each(Object.entries(DEVICE_ALIASES))('%s has names that mean it alone', (id, names) => {
    expect(findHardware(id)?.id).toBe(id);
    for (const name of names) expect(findHardware(name)?.id, name).toBe(id);
  });

  it('of an alias never hide an id or a title', () => {
    for (const facts of HARDWARE) expect([findHardware(facts.id), findHardware(facts.title)]).toEqual([facts, facts]);
    for (const facts of MODELS) expect([findModel(facts.id), findModel(facts.repo)]).toEqual([facts, facts]);
  });

  it.each([
    ['NVIDIA H100 80GB HBM3', 'H100-SXM'],
    ['NVIDIA-H100-80GB-HBM3', 'H100-SXM'],
    ['NVIDIA A100-SXM4-80GB', 'A100-80GB-SXM'],
    ['NVIDIA GeForce RTX 4090', 'RTX-4090'],
    ['AMD Instinct MI300X', 'MI300X'],
    ['Tesla T4', 'T4'],
  ])('%s, as a driver shows it, is %s', (name, id) => {
    expect(findHardware(name)?.id).toBe(id);
  });

  it('of cloud instances give the device and how many', () => {
    expect(findInstance('p5.48xlarge')).toMatchObject({ facts: { id: 'H100-SXM' }, count: 8 });
    expect(findInstance('STANDARD_ND96ISR_MI300X_V5')).toMatchObject({ facts: { id: 'MI300X' }, count: 8 });
    expect(findInstance('constructor')).toBeNull();
    for (const [name, { count }] of Object.entries(CLOUD_INSTANCES))
      expect(findInstance(name)?.count, name).toBe(count);
  });

  it('that miss are near to something, or to nothing', () => {
    expect(nearestModels('Lama-3.1-8B')[0]).toBe('Llama-3.1-8B');
    expect(nearestHardware('RTX-4900')).toContain('RTX-4090');
    expect(nearestHardware('H10')).toContain('H100-SXM');
    expect([nearestModels('zzzzzzzz'), nearestHardware('')]).toEqual([[], []]);
    expect(nearestModels('x'.repeat(100_000))).toEqual([]);
  });
});

describe('what the vendors ship', () => {
  it.each([
    ['DeepSeek-V3', 'safetensors:fp8-block'],
    ['DeepSeek-R1', 'safetensors:fp8-block'],
    ['Kimi-K2', 'safetensors:fp8-block'],
    ['MiniMax-M2.5', 'safetensors:fp8-block'],
    ['gpt-oss-120b', 'safetensors:mxfp4'],
    ['Llama-2-7B', 'safetensors:float16'],
  ])('%s is %s', (id, format) => {
    expect(findModel(id)?.formats).toEqual([format]);
  });

  it('agrees with the dimensions: cache and parameters follow from them', () => {
    for (const facts of MODELS) {
      // Full-attention layers of Gemma 4 have other heads; the table keeps no figure.
      if (facts.kvBytesPerTokenBf16 !== null) expect(kvBytesPerToken(facts), facts.id).toBe(facts.kvBytesPerTokenBf16);
      const counted = countParameters(facts);
      if (counted === null || facts.paramsTotal === null) continue;
      const tolerance = facts.id === 'OPT-125m' ? 0.02 : 0.01;
      expect(Math.abs(counted.total / facts.paramsTotal - 1), facts.id).toBeLessThan(tolerance);
    }
  });

  it('has prices with their date, the lowest on-demand one in front', () => {
    for (const { id, prices, pricePerHourUsd } of HARDWARE) {
      const onDemand = prices.filter(({ kind }) => kind === 'on-demand').map(({ usdPerHour }) => usdPerHour);
      expect(pricePerHourUsd, id).toBe(onDemand.length === 0 ? null : Math.min(...onDemand));
    }
  });
});

describe('GGUF types', () => {
  it('has bits and loss of every type that the node offers', () => {
    for (const type of GGUF_QUANTIZATION_TYPES) {
      const facts = findGgufType(type);
      expect(facts?.bitsPerWeight).toBeGreaterThan(2);
      // Nobody published a perplexity of plain models in it.
      if (type === 'MXFP4_MOE') expect(facts?.perplexityChangePercent).toBeNull();
      else expect(facts?.perplexityChangePercent).toBeGreaterThan(0);
    }
  });
});

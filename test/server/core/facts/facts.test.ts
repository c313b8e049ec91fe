import { describe, expect, it } from 'vitest';
import { findGgufType, GGUF_QUANTIZATION_TYPES } from '@/server/core/facts/gguf-types';
import { findHardware, HARDWARE } from '@/server/core/facts/hardware';
import { findModel, MODELS } from '@/server/core/facts/models';

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

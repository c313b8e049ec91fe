import { describe, expect, it } from 'vitest';
import { findGgufType } from '@/server/core/facts/gguf-types';
import { BLOCK_TYPES, OTHER_FORMATS, qualityEffects } from '@/server/core/facts/quality';

describe('effects on quality', () => {
  it('are 421 measurements, each with a source of its own', () => {
    const effects = qualityEffects();
    expect(effects).toHaveLength(421);
    expect(effects.filter(({ source }) => source === 'not recorded')).toEqual([]);
  });

  it('state the change that follows from baseline and value', () => {
    for (const { baseline, value, relativePercent, model, technique, metric } of qualityEffects()) {
      if (baseline === null || value === null || relativePercent === null || baseline === 0) continue;
      const change = (100 * (value - baseline)) / Math.abs(baseline);
      expect(Math.abs(change - relativePercent), `${model} ${technique} ${metric}`).toBeLessThan(0.06);
    }
  });

  it('agree with the GGUF table about Q4_K_M', () => {
    const effect = qualityEffects().find(
      ({ model, technique }) => model === 'Llama-3-8B' && technique === 'GGUF Q4_K_M',
    );
    expect(effect?.relativePercent).toBeCloseTo(findGgufType('Q4_K_M')?.perplexityChangePercent ?? 0, 2);
  });
});

describe('formats', () => {
  it('have bits that follow from their blocks', () => {
    const q8 = BLOCK_TYPES.find(({ type }) => type === 'Q8_0');
    expect(((q8?.bytesPerBlock ?? 0) * 8) / (q8?.blockWeights ?? 1)).toBe(8.5);
    for (const { format, bitsPerWeight } of OTHER_FORMATS) {
      if (bitsPerWeight !== null) expect(bitsPerWeight, format).toBeGreaterThan(3.9);
    }
  });
});

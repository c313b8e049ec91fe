import { describe, expect, it } from 'vitest';
import { armRows } from '@/app/_runs/arm-rows';
import { chartInput, result, trial, value } from '../../fixtures/chart-input';

const comparison = {
  outputTokensPerS: { changePercent: 125, low: 118, high: 131, verdict: 'faster' as const, moreBlocks: null },
  ttftMsP50: { changePercent: -2, low: -9, high: 6, verdict: 'too noisy' as const, moreBlocks: 3 },
};
const quality = { perplexity: 20, klDivergence: 0.03, top1Agreement: 0.9, noiseFloor: 0, tokens: 9, degenerate: null };
const run = chartInput({
  trials: [trial(0, 0), trial(1, 0, { quality }), trial(1, 1, { state: 'measuring', valid: null })],
  results: new Map([
    [0, result({ outputTokensPerS: value(409) })],
    [1, result({ outputTokensPerS: value(921) }, { comparison })],
    [2, result({}, { trust: { grade: 'invalid', reasons: ['client fault'] } })],
  ]),
});
const best = { deployment: 'Q8_0', metric: 'outputTokensPerS', reason: 'most output tokens/s' };
const rows = armRows(run, { primaryMetrics: ['outputTokensPerS'], qualityBudgetKl: 0.02 }, { best });

describe('rows of the plans', () => {
  it('keep the baseline first, with no change of its own', () => {
    expect(rows.map((r) => r.label)).toEqual(['F16', 'Q8_0', 'Q4_K_M']);
    expect(rows[0]?.changes.outputTokensPerS.text).toBe('');
    expect(rows[0]?.kl).toBeNull();
  });

  it('say verdict and quality budget in words, and count the blocks that are done', () => {
    expect(rows[1]?.verdict).toEqual({ text: '+125 %', tone: 'better', word: 'faster, over the quality budget' });
    expect(rows[1]?.changes.ttftMsP50).toMatchObject({ tone: 'none', word: 'too noisy' });
    expect(rows[1]).toMatchObject({ blocksDone: 1, blocks: 2, kl: 0.03 });
  });

  it('say how many more blocks a noisy verdict needs', () => {
    const noisy = armRows(run, { primaryMetrics: ['ttftMsP50'], qualityBudgetKl: null }, null);
    expect(noisy[1]?.verdict.word).toBe('too noisy, 3 more blocks');
  });

  it('crown at most the one that the report names, and name why a plan is not valid', () => {
    expect(rows.map((r) => r.crown)).toEqual([null, 'most output tokens/s', null]);
    expect(rows[2]?.invalid).toBe('client fault');
  });
});

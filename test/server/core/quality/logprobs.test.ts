import { describe, expect, it } from 'vitest';
import { type ScoredWindow, summarizeWindows, sumWindow } from '@/server/core/quality/logprobs';

/** A window from plain probabilities, one row a position. */
const scored = (tokens: number[], ...rows: number[][]): ScoredWindow => ({
  tokens,
  vocabulary: rows[0]?.length ?? 0,
  rows: Float32Array.from(rows.flat().map(Math.log)),
});

describe('sumWindow', () => {
  const reference = scored([0, 1, 2], [0.2, 0.5, 0.3], [0.1, 0.1, 0.8]);

  it('sums the text’s own likelihood', () => {
    const { perplexity, tokens } = summarizeWindows([sumWindow(reference, null)]);
    expect(perplexity).toBeCloseTo(1 / Math.sqrt(0.5 * 0.8), 6);
    expect(tokens).toBe(2);
  });

  it('is zero against itself and the textbook’s KL against another', () => {
    expect(summarizeWindows([sumWindow(reference, reference)])).toMatchObject({ klDivergence: 0, top1Agreement: 1 });
    const other = scored([0, 1, 2], [0.25, 0.25, 0.5], [0.1, 0.1, 0.8]);
    const { klDivergence, top1Agreement } = summarizeWindows([sumWindow(other, reference)]);
    const kl = 0.2 * Math.log(0.2 / 0.25) + 0.5 * Math.log(0.5 / 0.25) + 0.3 * Math.log(0.3 / 0.5);
    expect(klDivergence).toBeCloseTo(kl / 2, 6);
    expect(top1Agreement).toBe(0.5);
  });

  it('has no KL against other tokens or another vocabulary', () => {
    const otherTokens = { ...reference, tokens: [0, 2, 2] };
    expect(sumWindow(otherTokens, reference)).toMatchObject({ kl: null, sameTop1: null });
    const otherVocabulary = scored([0, 1, 1], [0.5, 0.5], [0.5, 0.5]);
    expect(summarizeWindows([sumWindow(otherVocabulary, reference)])).toMatchObject({ klDivergence: null });
  });

  it('refuses rows of another shape', () => {
    expect(() => sumWindow({ ...reference, rows: new Float32Array(3) }, null)).toThrow(/3 log-probabilities/);
  });

  it('gives nulls for no text', () => {
    expect(summarizeWindows([])).toEqual({ perplexity: null, klDivergence: null, top1Agreement: null, tokens: 0 });
  });
});

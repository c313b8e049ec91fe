import { describe, expect, it } from 'vitest';
import { lookupDraft } from '@/workers/embedded/prompt-lookup';

const options = { minTokens: 1, maxTokens: 3 };

describe('lookupDraft', () => {
  it('continues the longest n-gram that came before', () => {
    const tokens = [1, 2, 3, 4, 5, 9, 2, 3, 7, 1, 2, 3];
    expect(lookupDraft(tokens, 3, options)).toEqual({ tokens: [4, 5, 9], matched: 3 });
  });

  it('takes the latest place of that n-gram', () => {
    expect(lookupDraft([5, 6, 1, 5, 6, 2, 5, 6], 1, options)).toEqual({ tokens: [2], matched: 2 });
  });

  it('falls back to shorter n-grams, not below the minimum', () => {
    const tokens = [8, 3, 4, 5, 3];
    expect(lookupDraft(tokens, 2, options)).toEqual({ tokens: [4, 5], matched: 1 });
    expect(lookupDraft(tokens, 2, { ...options, minTokens: 2 })).toEqual({ tokens: [], matched: 0 });
  });

  it('gives nothing where nothing repeats or nothing may be drafted', () => {
    expect(lookupDraft([1, 2, 3], 4, options).tokens).toEqual([]);
    expect(lookupDraft([1, 1, 1], 0, options).tokens).toEqual([]);
    expect(lookupDraft([], 4, options).tokens).toEqual([]);
  });
});

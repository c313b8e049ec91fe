import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { spreadTokens } from '@/server/core/metrics/spread-tokens';

describe('spreadTokens', () => {
  it('gives one each where counts agree, more to longer texts otherwise', () => {
    expect(spreadTokens([3, 3, 3], 3)).toEqual([1, 1, 1]);
    expect(spreadTokens([30, 10], 6)).toEqual([4, 2]);
    expect(spreadTokens([5, 5, 5], 2)).toEqual([1, 1, 0]);
    expect(spreadTokens([], 4)).toEqual([]);
  });

  it('always adds up', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(50), { minLength: 1, maxLength: 40 }), fc.nat(300), (lengths, tokens) => {
        const counts = spreadTokens(lengths, tokens);
        return counts.length === lengths.length && counts.reduce((sum, k) => sum + k, 0) === tokens;
      }),
    );
  });
});

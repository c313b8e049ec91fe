import { describe, expect, it } from 'vitest';
import { chunkGaps, isBundled, requestTimes, tokenGaps } from '@/server/core/metrics/request-times';
import { answered } from '@/test/fixtures/request-records';

describe('requestTimes', () => {
  it('separates what the client waited from what the server took', () => {
    const times = requestTimes(answered(100, { ttftMs: 50, lagMs: 8, tailMs: 3 }));
    expect(times).toMatchObject({ ttftMs: 50, serviceTtftMs: 42, dispatchLagMs: 8, tpotMs: 10, e2eMs: 153 });
  });

  it('has no TPOT where every token came in the first chunk', () => {
    expect(requestTimes(answered(0, { tokens: 1 })).tpotMs).toBeNull();
    const all = { chunkTimesMs: [50], chunkTokens: [4], outputTokens: 4, firstChunkTokens: 4, lastTokenMs: 50 };
    expect(requestTimes(answered(0, {}, all)).tpotMs).toBeNull();
  });

  it('divides by the tokens after the first chunk', () => {
    const rest = { chunkTimesMs: [50, 80], chunkTokens: [2, 3], outputTokens: 5, firstChunkTokens: 2, lastTokenMs: 80 };
    expect(requestTimes(answered(0, {}, rest)).tpotMs).toBe(10);
  });
});

describe('gaps', () => {
  const record = answered(0, {}, { chunkTimesMs: [50, 80, 90], chunkTokens: [1, 3, 1] });
  it('are raw between chunks and spread between tokens', () => {
    expect(chunkGaps(record)).toEqual([30, 10]);
    expect(tokenGaps(record)).toEqual([10, 10, 10, 10]);
  });
});

describe('isBundled', () => {
  const of = (chunks: number, tokens: number) =>
    answered(0, {}, { chunkTimesMs: Array.from({ length: chunks }, (_, i) => i), outputTokens: tokens });
  it('means fewer than one chunk per five tokens', () => {
    expect(isBundled([of(2, 10)])).toBe(false);
    expect(isBundled([of(2, 11)])).toBe(true);
    expect(isBundled([])).toBe(false);
  });
});

import { describe, expect, it } from 'vitest';
import { describeStampError, isExact, stampErrorOf } from '@/server/core/metrics/stamp-error';

describe('stampErrorOf', () => {
  it('takes early and late stamps alike, and nothing from none', () => {
    const deviations = [...Array.from({ length: 98 }, () => -0.5), 0.7, -9];
    expect(stampErrorOf(4, deviations)).toEqual({ streams: 4, chunks: 100, p50Ms: 0.5, p99Ms: 0.7 });
    expect(stampErrorOf(4, [])).toBeNull();
  });

  it.each([
    [0.9, 4.9, true],
    [1.1, 2, false],
    [0.2, 5.1, false],
  ])('p50 %s ms and p99 %s ms are exact: %s', (p50Ms, p99Ms, exact) => {
    expect(isExact({ streams: 1, chunks: 10, p50Ms, p99Ms })).toBe(exact);
  });

  it('reads as a sentence would say it', () => {
    expect(describeStampError({ streams: 1, chunks: 9, p50Ms: 0.24, p99Ms: 1.95 })).toBe(
      '0.2 ms (p50) and 1.9 ms (p99) at 1 stream',
    );
  });
});

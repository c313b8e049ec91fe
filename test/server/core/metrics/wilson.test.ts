import { describe, expect, it } from 'vitest';
import { samplesForShare, wilsonInterval } from '@/server/core/metrics/wilson';

describe('wilsonInterval', () => {
  // R: binom::binom.confint(x, n, methods = "wilson").
  it.each([
    [8, 10, 0.490162, 0.943318],
    [0, 20, 0, 0.161125],
    [20, 20, 0.838875, 1],
    [95, 100, 0.888253, 0.978456],
  ])('%i of %i', (good, n, low, high) => {
    const interval = wilsonInterval(good, n);
    expect(interval.share).toBe(good / n);
    expect(interval.low).toBeCloseTo(low, 4);
    expect(interval.high).toBeCloseTo(high, 4);
  });

  it('refuses what is no share', () => {
    expect(() => wilsonInterval(0, 0)).toThrow(RangeError);
    expect(() => wilsonInterval(3, 2)).toThrow(RangeError);
  });

  it.each([0.5, 0.95, 0.99])('says from how many good requests on a share of %f is shown', (share) => {
    const n = samplesForShare(share);
    expect(wilsonInterval(n, n).low).toBeGreaterThanOrEqual(share);
    expect(wilsonInterval(n - 1, n - 1).low).toBeLessThan(share);
  });
});

import { describe, expect, it } from 'vitest';
import { floorSamples, hollowSamples, intervalRanks, nearestRank, quantile } from '@/server/core/metrics/quantile';

const upTo = (n: number): Float64Array => Float64Array.from({ length: n }, (_, i) => i + 1);

describe('floors', () => {
  it('are those of METHODOLOGY', () => {
    expect([0.95, 0.99, 0.999].map(floorSamples)).toEqual([59, 299, 2995]);
    expect([0.95, 0.99, 0.999].map(hollowSamples)).toEqual([200, 1000, 10_000]);
  });

  it.each([
    [0.95, 59],
    [0.99, 299],
    [0.999, 2995],
  ])('p %d has no figure below %d samples', (p, n) => {
    expect(quantile(upTo(n - 1), p)).toMatchObject({ value: null, low: null, high: null });
    expect(quantile(upTo(n - 1), p).mark).toContain(String(n));
    expect(quantile(upTo(n), p).value).toBe(n === 59 ? 57 : n === 299 ? 297 : 2993);
  });

  it.each([
    [0.95, 200],
    [0.99, 1000],
    [0.999, 10_000],
  ])('p %d is hollow up to %d samples', (p, n) => {
    expect(quantile(upTo(n), p).mark).toMatch(/only/);
    expect(quantile(upTo(n + 1), p).mark).toBeNull();
  });
});

describe('nearestRank', () => {
  it('is the value at rank ⌈p·n⌉', () => {
    expect(nearestRank([1, 2, 3, 4], 0.5)).toBe(2);
    expect(nearestRank([1, 2, 3, 4], 0.51)).toBe(3);
    expect(nearestRank(upTo(100), 0.99)).toBe(99);
    expect(nearestRank([7], 0.999)).toBe(7);
  });
});

describe('intervalRanks', () => {
  it('gives the tabled ranks of a median (Conover, 95 %)', () => {
    expect(intervalRanks(10, 0.5)).toEqual({ low: 2, high: 9 });
    expect(intervalRanks(20, 0.5)).toEqual({ low: 6, high: 15 });
    expect(intervalRanks(5, 0.5)).toEqual({ low: 0, high: 6 });
  });

  it('agrees with its normal limit where it changes over', () => {
    const exact = intervalRanks(5000, 0.99);
    const limit = intervalRanks(5001, 0.99);
    expect(Math.abs(exact.low - limit.low)).toBeLessThanOrEqual(2);
    expect(Math.abs(exact.high - limit.high)).toBeLessThanOrEqual(2);
  });
});

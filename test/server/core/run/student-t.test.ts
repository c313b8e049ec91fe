import { describe, expect, it } from 'vitest';
import { twoSidedP, twoSidedQuantile } from '@/server/core/run/student-t';

/** Two-sided alpha, degrees of freedom, critical value: NIST/SEMATECH e-Handbook, 1.3.6.7.2. */
const TABLE: [number, number, number][] = [
  [0.2, 1, 3.078],
  [0.1, 2, 2.92],
  [0.05, 2, 4.303],
  [0.05, 5, 2.571],
  [0.05, 11, 2.201],
  [0.02, 2, 6.965],
  [0.02, 5, 3.365],
  [0.02, 10, 2.764],
  [0.01, 30, 2.75],
  [0.002, 10, 4.144],
  [0.05, 100, 1.984],
];

describe('twoSidedQuantile', () => {
  it.each(TABLE)('alpha %d, %d degrees of freedom: %d', (alpha, df, t) => {
    expect(twoSidedQuantile(alpha, df)).toBeCloseTo(t, 3);
    expect(twoSidedP(twoSidedQuantile(alpha, df), df)).toBeCloseTo(alpha, 9);
  });
});

describe('twoSidedP', () => {
  it('is exact for one degree of freedom (Cauchy), 1 at zero and 0 at infinity', () => {
    expect(twoSidedP(1, 1)).toBeCloseTo(0.5, 12);
    expect(twoSidedP(0, 4)).toBeCloseTo(1, 12);
    expect(twoSidedP(Number.POSITIVE_INFINITY, 4)).toBe(0);
  });
});

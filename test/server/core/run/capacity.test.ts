import { describe, expect, it } from 'vitest';
import { findCapacity, type LevelAttainment, poolAttainment } from '@/server/core/run/capacity';
import type { Attainment } from '@/server/core/run/trial';

const limit = (good: number, n: number, percentile = 99): Attainment => ({
  metric: 'ttftMs',
  limitMs: 500,
  percentile,
  good,
  n,
});

/** Levels of an open loop: rate, good of 1,000 requests, saturated. */
const levels = (...rows: [number, number, boolean?][]): LevelAttainment[] =>
  rows.map(([ratePerS, good, saturated = false], loadIndex) => ({
    loadIndex,
    load: { mode: 'poisson', ratePerS },
    attainment: [limit(good, 1000)],
    saturated,
  }));

describe('findCapacity', () => {
  it('is an EDGE where a higher load fails', () => {
    const { capacity, reason } = findCapacity(levels([2, 1000], [4, 999], [8, 900]));
    expect(capacity).toMatchObject({ value: 4, kind: 'EDGE', unit: 'requests/s', loadIndex: 1 });
    expect(capacity?.attainment?.low).toBeGreaterThanOrEqual(0.99);
    expect(reason).toBeNull();
  });

  it('is an EDGE where a higher load is saturated, however good its answers were', () => {
    expect(findCapacity(levels([2, 1000], [4, 1000, true])).capacity).toMatchObject({ value: 2, kind: 'EDGE' });
  });

  it('is a FLOOR where no load was too much', () => {
    expect(findCapacity(levels([4, 1000], [2, 1000])).capacity).toMatchObject({ value: 4, kind: 'FLOOR' });
  });

  it('is none where the lowest load fails: infeasible, with the reason', () => {
    const found = findCapacity(levels([2, 900], [4, 800]));
    expect(found).toMatchObject({ capacity: null, feasible: false });
    expect(found.reason).toBe('no capacity: 90.0 % of requests meet the limits at 2 requests/s, 99.0 % must');
  });

  it('does not trust a level that holds above one that fails', () => {
    expect(findCapacity(levels([2, 1000], [4, 900], [8, 1000])).capacity?.value).toBe(2);
  });

  it('is undecided with too few requests, and says how many it takes', () => {
    const few = [{ ...(levels([2, 1000])[0] as LevelAttainment), attainment: [limit(100, 100)] }];
    const found = findCapacity(few);
    expect(found).toMatchObject({ capacity: null, feasible: null });
    expect(found.reason).toContain('at least 381 requests are needed');
  });

  it('asks every limit at its own percentile', () => {
    const [first] = levels([2, 1000]);
    const both = { ...(first as LevelAttainment), attainment: [limit(940, 1000, 90), limit(940, 1000, 99)] };
    expect(findCapacity([both]).feasible).toBe(false);
    const easy = { ...both, attainment: [limit(940, 1000, 90)] };
    expect(findCapacity([easy]).capacity).toMatchObject({ value: 2, attainment: { share: 0.94 } });
  });

  it('counts a closed loop in clients', () => {
    const closed: LevelAttainment = {
      loadIndex: 0,
      load: { mode: 'closed', concurrency: 16 },
      attainment: [limit(1000, 1000)],
      saturated: false,
    };
    expect(findCapacity([closed]).capacity).toMatchObject({ value: 16, unit: 'clients', kind: 'FLOOR' });
  });
});

describe('poolAttainment', () => {
  it('adds the requests of blocks, limit by limit', () => {
    const pooled = poolAttainment([
      [limit(9, 10), limit(5, 10, 50)],
      [limit(8, 10), limit(6, 10, 50)],
    ]);
    expect(pooled.map((a) => [a.percentile, a.good, a.n])).toEqual([
      [99, 17, 20],
      [50, 11, 20],
    ]);
  });
});

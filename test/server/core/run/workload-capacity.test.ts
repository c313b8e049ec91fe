import { describe, expect, it } from 'vitest';
import type { MetricValues } from '@/server/core/metrics/value';
import type { CapacityResult } from '@/server/core/run/capacity';
import { capacityNotes, costOf } from '@/server/core/run/workload-capacity';

const metrics = (usd: number): MetricValues => ({
  costPerMillionOutputTokens: { value: usd, low: null, high: null, unit: 'USD', n: 9, interval: null, mark: null },
  requestsPerS: { value: 1, low: null, high: null, unit: 'requests/s', n: 9, interval: null, mark: null },
});
const load = { mode: 'poisson' as const, ratePerS: 2 };
const edge: CapacityResult = {
  capacity: { value: 8, kind: 'EDGE', unit: 'requests/s', loadIndex: 1 },
  reason: null,
  feasible: true,
};

describe('costOf', () => {
  it('reads an online workload at its capacity, whatever level asks', () => {
    const cost = costOf(load, metrics(4), edge, (i) => (i === 1 ? metrics(1) : null));
    expect(cost).toMatchObject({ basis: 'capacity', where: 'at capacity, 8 requests/s (EDGE)' });
    expect(cost.metrics).toEqual({ costPerMillionOutputTokens: metrics(1).costPerMillionOutputTokens });
  });

  it('has no figure where no level is feasible', () => {
    const none: CapacityResult = { capacity: null, reason: 'no capacity: x', feasible: false };
    expect(costOf(load, metrics(4), none, () => null)).toEqual({ basis: 'none', where: 'no capacity: x', metrics: {} });
  });

  it('names the measured point while the capacity cannot be told', () => {
    const open: CapacityResult = { capacity: null, reason: 'too few', feasible: null };
    const cost = costOf(load, metrics(4), open, () => null);
    expect(cost).toMatchObject({ basis: 'measured point', where: 'at the measured point, 2 requests/s' });
    expect(cost.metrics.costPerMillionOutputTokens?.value).toBe(4);
  });

  it('reads an offline workload in its steady window', () => {
    const closed = { mode: 'closed' as const, concurrency: 1 };
    expect(costOf(closed, metrics(4), null, () => null)).toMatchObject({
      basis: 'steady window',
      where: 'in the steady window, 1 client',
    });
    expect(costOf(load, metrics(4), null, () => null).basis).toBe('measured point');
  });
});

describe('capacityNotes', () => {
  it('tells each reason once, with the deployments that it holds for', () => {
    const result = { capacityReason: 'no capacity: few' } as never;
    const fine = { capacityReason: null } as never;
    expect(
      capacityNotes([
        { label: 'A', results: [result, result] },
        { label: 'B', results: [fine, { capacityReason: 'no valid measurement yet' } as never] },
        { label: 'C', results: [result] },
      ]),
    ).toEqual(['A, C: no capacity: few']);
  });
});

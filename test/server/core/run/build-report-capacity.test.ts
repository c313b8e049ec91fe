import { describe, expect, it } from 'vitest';
import { buildReport } from '@/server/core/run/build-report';
import { reportSchema } from '@/server/core/run/report';
import type { Point } from '@/server/core/run/trial';
import { context, point, run, spec, trial, workload } from '@/test/fixtures/report-trials';

describe('buildReport: capacity, cost and quality', () => {
  it('finds the capacity of a workload with limits over its levels, and reads its cost there', () => {
    const loads = [2, 4, 8].map((ratePerS) => ({ mode: 'poisson' as const, ratePerS }));
    const slo = { metric: 'ttftMs' as const, limitMs: 500, percentile: 95 };
    const online = { ...workload, loads, slos: [slo] };
    const at = (rate: number, good: number): Point => {
      const p = point(100 * rate, 100, { load: { mode: 'poisson', ratePerS: rate } });
      const cost = { value: 10 / rate, low: null, high: null, unit: 'USD', n: 99, interval: null, mark: null };
      const attainment = [{ ...slo, good, n: 500 }];
      return { ...p, metrics: { ...p.metrics, costPerMillionOutputTokens: cost }, attainment };
    };
    const trials = [0, 1, 2].map((block) => {
      const points = [at(2, 500), at(4, 499), at(8, 300)];
      return trial(0, block, at(2, 500), {}, { points });
    });
    const report = buildReport({ ...spec, arms: spec.arms.slice(0, 1), workloads: [online] }, trials, context);
    expect(reportSchema.parse(report)).toEqual(report);
    for (const result of report.deployments[0]?.results ?? []) {
      expect(result.capacity).toMatchObject({ value: 4, kind: 'EDGE', unit: 'requests/s', attainment: { n: 1500 } });
      expect(result.cost?.where).toBe('at capacity, 4 requests/s (EDGE)');
      expect(result.cost?.metrics.costPerMillionOutputTokens?.value).toBeCloseTo(2.5, 9);
    }
  });

  it('has no capacity without limits, and says why where one level is too much', () => {
    expect(buildReport(spec, run(), context).deployments[0]?.results[0]).toMatchObject({
      capacity: null,
      capacityReason: null,
    });
    const slo = { metric: 'ttftMs' as const, limitMs: 5, percentile: 95 };
    const limited = { ...spec, workloads: [{ ...workload, slos: [slo] }] };
    const trials = run().map((t) => {
      const points = t.outcome?.points.map((p) => ({ ...p, attainment: [{ ...slo, good: 10, n: 99 }] })) ?? [];
      return { ...t, outcome: t.outcome && { ...t.outcome, points } };
    });
    const report = buildReport(limited, trials, context);
    expect(report.deployments[0]?.results[0]?.capacity).toBeNull();
    expect(report.deployments[0]?.results[0]?.cost?.basis).toBe('none');
    expect(report.notes.join()).toContain('10.1 % of requests meet the limits at 4 clients, 95.0 % must');
  });

  it('tells a lossless plan from a lossy one that nobody verified', () => {
    const states = (report: ReturnType<typeof buildReport>) => report.deployments.map((d) => d.qualityState);
    expect(states(buildReport(spec, run(), context))).toEqual(['baseline', 'verified', 'lossless', 'lossless']);
    expect(states(buildReport(spec, run(null), context))[1]).toBe('not-verified');
    expect(states(buildReport(spec, run(0.5), context))[1]).toBe('over-budget');
    expect(states(buildReport({ ...spec, qualityBudgetKl: null }, run(), context))[1]).toBe('not-verified');
  });
});

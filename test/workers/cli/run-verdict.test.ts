import { describe, expect, it } from 'vitest';
import { measurePoint } from '@/server/core/metrics/measure-point';
import { buildReport } from '@/server/core/run/build-report';
import type { Report } from '@/server/core/run/report';
import type { ReportTrial } from '@/server/core/run/report-trial';
import { whyNo } from '@/workers/cli/run-verdict';
import { aLoadResult, anOutcome, aPlan, aSpec } from '../agent/fixtures';

const spec = aSpec([aPlan('baseline'), aPlan('b', { loss: '1-to-3-percent' })]);

function report(change: Partial<ReportTrial> = {}): Report {
  const [workload] = spec.workloads;
  const [load] = workload?.loads ?? [];
  if (!workload || !load) throw new Error('the fixture has no load');
  const point = measurePoint({ ...aLoadResult(), workload, load, gpus: null, pricePerHourUsd: null });
  const trials = [0, 1].map(
    (arm): ReportTrial => ({
      trialId: `t${arm}`,
      arm,
      block: 0,
      attempt: 1,
      state: 'succeeded',
      superseded: false,
      outcome: { ...anOutcome, points: [point] },
      ...(arm === 1 ? change : {}),
    }),
  );
  return buildReport(spec, trials, { startedAt: '2026-01-01T00:00:00Z', host: null });
}

describe('whyNo', () => {
  it('is a yes where every deployment has a valid trial', () => expect(whyNo(spec, report(), [])).toBeNull());

  it('names the deployment that did not run and why', () => {
    const outcome = { ...anOutcome, state: 'failed' as const, valid: false, reasons: ['no memory'] };
    expect(whyNo(spec, report({ state: 'failed', outcome }), [])).toContain('b did not run');
  });

  it('takes an unverified quality as a no only when asked', () => {
    expect(whyNo(spec, report(), ['quality'])).toBe('b: quality not verified');
  });

  it('takes a slower deployment as a no only when asked', () => {
    const slow = report();
    const result = slow.deployments[1]?.results[0];
    if (result) {
      result.comparison.outputTokensPerS = {
        changePercent: -20,
        low: -22,
        high: -18,
        verdict: 'slower',
        moreBlocks: null,
      };
    }
    expect(whyNo(spec, slow, [])).toBeNull();
    expect(whyNo(spec, slow, ['regression'])).toBe('b is slower in outputTokensPerS on w');
  });
});

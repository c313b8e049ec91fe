import { describe, expect, it } from 'vitest';
import { trialOfReport } from '@/server/core/exporters/report-trial-evidence';
import { evidenceOfTrial } from '@/server/core/exporters/trial-evidence';
import type { Report } from '@/server/core/run/report';
import { vllmPlan } from '@/test/fixtures/gateway-plans';

const plan = vllmPlan();
const trial = (valid: boolean, superseded = false) => ({
  state: 'succeeded' as const,
  block: 0,
  attempt: 1,
  superseded,
  valid,
  reasons: [],
  metrics: {},
  requests: 50,
  outcomes: { ok: 48, error: 2 },
});
const report = (
  grade: 'A' | 'invalid',
  trials = [trial(true), trial(true), trial(false), trial(true, true)],
): Report => ({
  stamp: 'MEASURED',
  pipelineHash: null,
  seed: 9,
  startedAt: '2026-03-04T05:06:07.000Z',
  host: null,
  sentence: '',
  notes: [],
  best: null,
  deployments: [
    {
      deployment: 'dep',
      label: plan.label,
      planHash: plan.planHash,
      isBaseline: false,
      engine: 'vllm',
      engineVersion: '0.28.0',
      device: 'H100-SXM',
      effective: [],
      quality: null,
      results: [
        {
          workload: 'chat',
          role: 'target',
          load: { mode: 'closed', concurrency: 4 },
          windowS: 30,
          metrics: {
            ttftMsP50: { value: 12, low: 11, high: 13, unit: 'ms', n: 2, interval: 'blocks', mark: null },
          },
          prediction: null,
          trust: { grade, reasons: [] },
          capacity: null,
          comparison: {},
          trials,
        },
      ],
    },
  ],
});

describe('a report as evidence', () => {
  it('gives the points of its plan, with the requests of the trials that count', () => {
    const found = trialOfReport(report('A'), plan);
    expect(found?.outcome.points).toMatchObject([
      { workload: 'chat', valid: true, requests: 100, outcomes: { ok: 96, error: 4 } },
    ]);
    expect(found?.seed).toBe(9);
    expect(found && evidenceOfTrial(found)).toMatchObject({
      stamp: 'MEASURED',
      startedAt: '2026-03-04T05:06:07.000Z',
      headlines: [{ metric: 'ttftMsP50', workload: 'chat', value: { value: 12 } }],
    });
  });

  it('gives nothing for another plan, an invalid result, or trials that do not count', () => {
    expect(trialOfReport(report('A'), { ...plan, planHash: 'other' })).toBeNull();
    expect(trialOfReport(report('invalid'), plan)).toBeNull();
    expect(trialOfReport(report('A', [trial(false)]), plan)).toBeNull();
  });
});

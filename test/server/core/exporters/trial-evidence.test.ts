import { expect, it } from 'vitest';
import { evidenceOfTrial } from '@/server/core/exporters/trial-evidence';
import { plan } from '@/test/fixtures/experiment';

const value = (n: number) => ({ value: n, low: null, high: null, unit: 'tok/s', n: 300, interval: null, mark: null });
const point = (valid: boolean) => ({
  workload: 'chat',
  role: 'target' as const,
  load: { mode: 'closed' as const, concurrency: 4 },
  windowS: 6,
  metrics: { outputTokensPerS: value(921), ttftMsP50: value(29), kvCacheUsageMax: value(1) },
  valid,
  reasons: [],
  saturated: false,
  requests: 300,
  outcomes: { ok: 300 },
});
const measuredAt = new Date(Date.UTC(2026, 11, 1));

it('quotes the headline metrics of valid points, with what ran', () => {
  const measured = {
    plan: plan(),
    outcome: { stamp: 'MEASURED' as const, points: [point(true), point(false)], quality: null },
    measuredAt,
  };
  const evidence = evidenceOfTrial(measured);
  expect(evidence?.headlines.map(({ metric }) => metric)).toEqual(['outputTokensPerS', 'ttftMsP50']);
  expect(evidence).toMatchObject({
    planHash: 'plan-baseline',
    runtime: 'embedded',
    image: null,
    device: 'cpu × 1',
    startedAt: '2026-12-01T00:00:00.000Z',
    klDivergence: null,
  });
});

it('says nothing for a plan of several components', () => {
  const one = plan().components;
  const two = plan({ components: [...one, ...one] });
  expect(
    evidenceOfTrial({ plan: two, outcome: { stamp: 'MEASURED', points: [], quality: null }, measuredAt }),
  ).toBeNull();
});

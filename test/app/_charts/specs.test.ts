import { describe, expect, it } from 'vitest';
import type { BarsData, ChartData, DotsData, FrontierData, LinesData } from '@/app/_charts/chart-data';
import type { ChartInput } from '@/app/_charts/chart-input';
import { CHARTS } from '@/app/_charts/specs';
import type { Quality } from '@/server/core/run/trial';
import { arm, chartInput, result, trial, value } from '../../fixtures/chart-input';
import { secondRow } from '../../fixtures/stream-events';

function draw<K extends ChartData['kind']>(id: string, kind: K, run: ChartInput): Extract<ChartData, { kind: K }> {
  const spec = CHARTS.find((chart) => chart.id === id);
  const data = spec?.prepare(run, 0);
  if (data?.kind !== kind) throw new Error(`${id} drew ${data?.kind}, not ${kind}`);
  return data as Extract<ChartData, { kind: K }>;
}
const lines = (id: string, run: ChartInput): LinesData => draw(id, 'lines', run);
const bars = (id: string, run: ChartInput): BarsData => draw(id, 'bars', run);
const dots = (id: string, run: ChartInput): DotsData => draw(id, 'dots', run);
const front = (id: string, run: ChartInput): FrontierData => draw(id, 'frontier', run);
const quality = (kl: number, fields: Partial<Quality> = {}): Quality => ({
  perplexity: 20,
  klDivergence: kl,
  top1Agreement: 0.97,
  noiseFloor: 0.00001,
  tokens: 2000,
  degenerate: null,
  ...fields,
});

describe('every chart', () => {
  it('has an id of its own, a question and a unit', () => {
    expect(new Set(CHARTS.map((chart) => chart.id)).size).toBe(CHARTS.length);
    for (const chart of CHARTS) {
      expect(chart.title.endsWith('?'), chart.id).toBe(true);
      expect(chart.unit, chart.id).not.toBe('');
    }
  });

  it('says in words why it is empty, before and after a run', () => {
    for (const chart of CHARTS) {
      for (const running of [true, false]) {
        const nothing = chartInput({ trials: [], running });
        expect(chart.prepare(nothing, 0).empty, chart.id).toMatch(/\.$/);
        expect(chart.prepare({ ...nothing, arms: [arm(0, 'endpoint')] }, null).empty, chart.id).toMatch(/\.$/);
      }
    }
  });
});

describe('lines over measured time', () => {
  it('set the blocks of an arm side by side and cut the line between them', () => {
    const data = lines('output-tokens', chartInput());
    expect(data.x.domain).toEqual([0, 8]);
    expect(data.edges).toEqual([{ x: 4, label: 'block 2' }]);
    const base = data.series[0];
    expect(base?.isBaseline).toBe(true);
    expect(base?.points.map((p) => [p.x, p.y])).toEqual([
      [0, 100],
      [1, 101],
      [2, 102],
      [3, 103],
      [3.5, null],
      [4, 100],
      [5, 101],
      [6, 102],
      [7, 103],
    ]);
  });

  it('leave a missing second as a gap, and warm-up and drain out', () => {
    const seconds = [-2, -1, 0, 1, 3, 4, 5].map((t) => secondRow(t));
    const data = lines('output-tokens', chartInput({ trials: [trial(0, 0, { seconds })] }));
    expect(data.series[0]?.points.map((p) => [p.x, p.y])).toEqual([
      [0, 100],
      [1, 100],
      [2, null],
      [3, 100],
    ]);
  });

  it('draw an invalid trial hollow and a superseded one not at all', () => {
    const run = chartInput({
      trials: [
        trial(0, 0, { superseded: true, seconds: [secondRow(0, { outputTokens: 7 })] }),
        trial(0, 0, { id: 'again', attempt: 2, valid: false, seconds: [secondRow(0, { outputTokens: 9 })] }),
      ],
    });
    expect(lines('output-tokens', run).series[0]?.points).toEqual([{ x: 0, y: 9, hollow: true }]);
  });

  it('mark the live edge while a trial is being measured', () => {
    const running = trial(1, 1, { state: 'measuring', valid: null, seconds: [secondRow(0), secondRow(1)] });
    expect(lines('ttft', chartInput({ trials: [running], running: true })).liveX).toBe(5);
    expect(lines('ttft', chartInput()).liveX).toBeNull();
  });

  it('draw p50 solid and p99 thin', () => {
    const data = lines('ttft', chartInput({ trials: [trial(0, 0)] }));
    expect(data.series.map((s) => [s.weight, s.points[0]?.y])).toEqual([
      ['solid', 40],
      ['thin', 70],
    ]);
  });

  it('show the acceptance rate in percent, of the plans that draft', () => {
    const seconds = [secondRow(0, { acceptanceRate: 0.62 })];
    const data = lines('acceptance', chartInput({ trials: [trial(0, 0), trial(1, 0, { seconds })] }));
    expect(data.series.map((s) => [s.label, s.points[0]?.y])).toEqual([['Q8_0', 62]]);
  });
});

describe('bars', () => {
  it('carry the interval over blocks and draw a marked figure hollow', () => {
    const results = new Map([
      [0, result({ tokensPerStep: value(1, { low: 0.99, high: 1.01, interval: 'blocks' }) })],
      [1, result({ tokensPerStep: value(2.7, { mark: 'one block' }) })],
      [2, result({ tokensPerStep: value(3) }, { trust: { grade: 'invalid', reasons: ['client fault'] } })],
    ]);
    const data = bars('tokens-per-step', chartInput({ results }));
    expect(data.intervalOf).toBe('line: 95 % interval over blocks');
    expect(data.rows.map((r) => [r.value, r.low, r.hollow, r.note])).toEqual([
      [1, 0.99, false, null],
      [2.7, null, true, 'one block'],
      [3, null, true, 'client fault'],
    ]);
  });

  it('say that the hardware has no price, for the whole chart or for one plan', () => {
    expect(bars('cost', chartInput()).empty).toContain('no price');
    const arms = [arm(0, 'F16', { pricePerHourUsd: 0.4 }), arm(1, 'Q8_0')];
    const results = new Map([[0, result({ costPerMillionOutputTokens: value(0.09) })]]);
    const data = bars('cost', chartInput({ arms, results }));
    expect(data.empty).toBeNull();
    expect(data.rows.map((r) => r.note)).toEqual([null, 'no price on its hardware']);
  });

  it('read the cost of a workload with limits at its capacity, or not at all', () => {
    const arms = [0, 1].map((index) => arm(index, `plan ${index}`, { pricePerHourUsd: 0.4 }));
    const metrics = { costPerMillionOutputTokens: value(0.09) };
    const capacity = {
      basis: 'capacity' as const,
      where: 'at capacity, 8 requests/s (EDGE)',
      metrics: { costPerMillionOutputTokens: value(0.03) },
    };
    const none = { basis: 'none' as const, where: 'no capacity: saturated at 2 requests/s', metrics: {} };
    const results = new Map([
      [0, result(metrics, { cost: capacity })],
      [1, result(metrics, { cost: none })],
    ]);
    const data = bars('cost', chartInput({ arms, results }));
    expect(data.rows.map((r) => [r.value, r.note])).toEqual([
      [0.03, 'at capacity, 8 requests/s (EDGE)'],
      [null, 'no capacity: saturated at 2 requests/s'],
    ]);
    expect(data.note).toBe('price per hour ÷ output tokens per hour at capacity, 8 requests/s (EDGE)');
  });

  it('tell a lossless plan, which nobody evaluates, from one that nobody verified', () => {
    const arms = [arm(1, 'draft', { qualityState: 'lossless' }), arm(2, 'Q4_K_M', { qualityState: 'not-verified' })];
    expect(bars('quality', chartInput({ arms, trials: [], running: false })).rows.map((r) => r.note)).toEqual([
      'lossless, not evaluated',
      'quality not verified',
    ]);
  });

  it('show quality against budget and noise floor, without the baseline, hollow where the output collapsed', () => {
    const run = chartInput({
      klBudget: 0.02,
      trials: [
        trial(1, 0, { quality: quality(0.0002) }),
        trial(1, 1, { quality: quality(0.0004, { noiseFloor: 0.00002 }) }),
        trial(2, 0, { quality: quality(0.5, { degenerate: 'repeats one token' }) }),
      ],
    });
    const data = bars('quality', run);
    expect(data.rows.map((r) => [r.label, r.low, r.high, r.hollow, r.note])).toEqual([
      ['Q8_0', 0.0002, 0.0004, false, null],
      ['Q4_K_M', null, null, true, 'repeats one token'],
    ]);
    expect(data.rows[0]?.value).toBeCloseTo(0.0003);
    expect(data.marks).toEqual([
      { value: 0.00002, label: 'noise floor', kind: 'floor' },
      { value: 0.02, label: 'budget', kind: 'budget' },
    ]);
  });

  it('say which plan was not verified', () => {
    const data = bars('quality', chartInput({ trials: [trial(1, 0, { quality: quality(0.0002) }), trial(2, 0)] }));
    expect(data.rows[1]).toMatchObject({ value: null, note: 'quality not verified' });
  });
});

describe('ratios to the baseline', () => {
  it('give one dot a block with both sides, and the interval of the comparison', () => {
    const comparison = {
      outputTokensPerS: { changePercent: 100, low: 90, high: 111, verdict: 'faster' as const, moreBlocks: null },
    };
    const run = chartInput({ results: new Map([[1, result({}, { comparison })]]) });
    const row = dots('ratio-output-tokens', run).rows[0];
    expect(row?.dots.map((d) => [d.block, d.value])).toEqual([
      [0, 2],
      [1, 2],
    ]);
    expect([row?.mean, row?.low, row?.high].map((v) => v?.toFixed(2))).toEqual(['2.00', '1.90', '2.11']);
  });

  it('leave out a block without a baseline and draw one with an invalid side hollow', () => {
    const trials = [
      trial(0, 0, { valid: false, reasons: ['client fault'] }),
      trial(1, 0),
      trial(1, 1),
      trial(0, 1, { state: 'measuring', valid: null, point: null }),
    ];
    expect(dots('ratio-output-tokens', chartInput({ trials })).rows[0]?.dots).toEqual([
      { block: 0, value: 2, hollow: true, note: 'client fault' },
    ]);
  });
});

describe('percentiles and frontier', () => {
  it('keep a percentile without enough samples as a gap, or hollow with a mark', () => {
    const results = new Map([
      [0, result({ ttftMsP50: value(40), ttftMsP95: value(70, { mark: '80 samples' }), ttftMsP99: value(null) })],
    ]);
    const data = lines('ttft-percentiles', chartInput({ results }));
    expect(data.series[0]?.points).toEqual([
      { x: 0, y: 40, hollow: false },
      { x: 1, y: null, hollow: false },
      { x: 2, y: 70, hollow: true },
      { x: 3, y: null, hollow: false },
    ]);
  });

  it('join the load levels of a plan and draw the SLO as limit', () => {
    const at = (clients: number, x: number, y: number) =>
      result({ outputTokensPerS: value(x), ttftMsP50: value(y) }, { load: { mode: 'closed', concurrency: clients } });
    const allLoads = new Map([[0, [at(1, 100, 20), at(4, 300, 45)]]]);
    const slos = [{ metric: 'ttftMs' as const, limitMs: 60, percentile: 99 }];
    const data = front('frontier', chartInput({ allLoads, slos }));
    expect(data.series[0]?.points.map((p) => [p.x, p.y, p.load])).toEqual([
      [100, 20, '1 client, closed loop'],
      [300, 45, '4 clients, closed loop'],
    ]);
    expect(data.limit).toEqual({ value: 60, label: 'SLO p99 60 ms' });
  });
});

import { describe, expect, it } from 'vitest';
import { csvOf, jsonOf, tableOf } from '@/app/_charts/chart-table';
import { armColor } from '@/app/_charts/palette';
import { readingsAt } from '@/app/_charts/readings';
import { CHARTS } from '@/app/_charts/specs';
import { arm, chartInput, trial } from '../../fixtures/chart-input';
import { secondRow } from '../../fixtures/stream-events';

const tokens = CHARTS.find((chart) => chart.id === 'output-tokens');
const run = chartInput({
  blocks: 1,
  arms: [arm(0, '=F16'), arm(1, 'Q8_0, draft')],
  trials: [
    trial(0, 0, { seconds: [secondRow(0), secondRow(1)] }),
    trial(1, 0, { seconds: [secondRow(1, { outputTokens: 150 })] }),
  ],
});

describe('the table behind a chart', () => {
  it('holds exactly what is drawn; a gap is an empty cell', () => {
    const data = tokens?.prepare(run, 0);
    const table = data ? tableOf(data, 'tok/s') : null;
    expect(table?.rows).toEqual([
      [0, 100, null],
      [1, 100, 150],
    ]);
  });

  it('becomes CSV that no spreadsheet runs and every one reads', () => {
    const csv = csvOf({
      columns: ['plan', 'v'],
      rows: [
        ['=1+1', 2],
        ['a "b", c', null],
      ],
    });
    expect(csv).toBe('plan,v\r\n\'=1+1,2\r\n"a ""b"", c",\r\n');
  });

  it('becomes JSON with one object a row', () => {
    expect(JSON.parse(jsonOf({ columns: ['plan', 'v'], rows: [['a', null]] }))).toEqual([{ plan: 'a', v: null }]);
  });

  it('exists for every kind of chart', () => {
    for (const chart of CHARTS) {
      const table = tableOf(chart.prepare(chartInput(), 0), chart.unit);
      for (const row of table.rows) expect(row.length, chart.id).toBe(table.columns.length);
    }
  });
});

describe('tooltip readings', () => {
  it('list all series at that time, highest first, with change against the baseline', () => {
    const data = tokens?.prepare(run, 0);
    const readings = data?.kind === 'lines' ? readingsAt(data.series, 1) : [];
    expect(readings.map((r) => [r.label, r.value, r.changePercent])).toEqual([
      ['Q8_0, draft', 150, 50],
      ['=F16', 100, null],
    ]);
  });
});

describe('colours', () => {
  it('are fixed by the order of the plans, the baseline neutral', () => {
    expect(armColor(0, true)).toBe('var(--baseline)');
    expect([1, 7, 8].map((i) => armColor(i, false))).toEqual(['var(--series-1)', 'var(--series-7)', 'var(--series-1)']);
  });
});

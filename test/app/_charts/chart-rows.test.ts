import { describe, expect, it } from 'vitest';
import { shorten, tickText } from '@/app/_charts/axis';
import type { LineSeries } from '@/app/_charts/chart-data';
import { chartRows, niceTicks } from '@/app/_charts/chart-rows';

const series = (ys: (number | null)[], hollow = false): LineSeries => ({
  arm: 0,
  label: 'F16',
  isBaseline: true,
  weight: 'solid',
  points: ys.map((y, x) => ({ x, y, hollow })),
});

describe('rows for drawing', () => {
  it('join the series by x and keep gaps', () => {
    const rows = chartRows([series([1, null, 3]), series([4, 5])]);
    expect(rows.map((r) => [r.x, r.v0, r.v1])).toEqual([
      [0, 1, 4],
      [1, null, 5],
      [2, 3, undefined],
    ]);
  });

  it('draw a dot where no line would show the point, and an outline where it is not to be trusted', () => {
    expect(chartRows([series([1, null, 3, 4])]).map((r) => r.dot0)).toEqual(['lone', null, null, null]);
    expect(chartRows([series([1, 2], true)]).map((r) => r.dot0)).toEqual(['hollow', 'hollow']);
  });
});

describe('axes', () => {
  it('end on a round number at or above the highest figure', () => {
    expect(niceTicks(921)).toEqual([0, 250, 500, 750, 1000]);
    expect(niceTicks(46)).toEqual([0, 20, 40, 60]);
    expect(niceTicks(0.0151)).toEqual([0, 0.005, 0.01, 0.015, 0.02]);
    expect(niceTicks(1000)).toEqual([0, 250, 500, 750, 1000]);
    expect(niceTicks(0)).toEqual([0, 1]);
    expect(niceTicks(Number.NEGATIVE_INFINITY)).toEqual([0, 1]);
  });

  it('write their ticks with the same decimals', () => {
    const text = (ticks: number[]) => ticks.map(tickText(ticks));
    expect(text([0, 2.5, 5])).toEqual(['0.0', '2.5', '5.0']);
    expect(text([0, 0.005, 0.01])).toEqual(['0.000', '0.005', '0.010']);
    expect(text([0, 250, 500])).toEqual(['0', '250', '500']);
  });

  it('shorten long names', () => {
    expect(shorten('Q4_K_M + draft', 8)).toBe('Q4_K_M …');
    expect(shorten('Q8_0', 8)).toBe('Q8_0');
  });
});

import { metricBars } from '../bars';
import type { BarRow } from '../chart-data';
import type { ChartInput } from '../chart-input';
import type { ChartSpec } from '../chart-spec';

const METRIC = 'costPerMillionOutputTokens';

/** Where limits are set, the cost is read at capacity, or there is none; elsewhere the measured figure stays. */
function costRow(run: ChartInput, row: BarRow): BarRow {
  const cost = run.results.get(row.arm)?.cost;
  if (cost?.basis === 'none') return { ...row, value: null, low: null, high: null, note: cost.where };
  if (cost?.basis === 'capacity') {
    const figure = cost.metrics[METRIC];
    const range = { low: figure?.low ?? null, high: figure?.high ?? null };
    return { ...row, value: figure?.value ?? null, ...range, note: figure?.mark ?? cost.where };
  }
  const arm = run.arms.find((a) => a.index === row.arm);
  return row.value === null && arm?.pricePerHourUsd === null ? { ...row, note: 'no price on its hardware' } : row;
}

/** "in the steady window, 4 clients", where all arms have their cost at the same place. */
function placeOf(run: ChartInput): string {
  const places = new Set(
    run.arms.flatMap(({ index }) => {
      const cost = run.results.get(index)?.cost;
      return cost && cost.basis !== 'none' ? [cost.where] : [];
    }),
  );
  const [only] = places;
  if (places.size > 1) return 'where each plan says';
  return only ?? 'at the measured point';
}

export const cost: ChartSpec = {
  id: 'cost',
  title: 'What do a million output tokens cost?',
  unit: '$',
  better: 'lower',
  prepare: (run) => {
    const priced = run.arms.some((arm) => arm.pricePerHourUsd !== null);
    const later = run.running
      ? 'Appears when the first trial has ended.'
      : 'No valid measurement, hence no cost per token.';
    const data = metricBars(run, METRIC, {
      empty: priced ? later : 'The hardware has no price. Set its price per hour on the hardware node and run again.',
      note: `price per hour ÷ output tokens per hour ${placeOf(run)}`,
    });
    return { ...data, rows: data.rows.map((row) => costRow(run, row)) };
  },
};

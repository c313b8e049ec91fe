import { metricBars } from '../bars';
import type { ChartSpec } from '../chart-spec';

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
    const data = metricBars(run, 'costPerMillionOutputTokens', {
      empty: priced ? later : 'The hardware has no price. Set its price per hour on the hardware node and run again.',
      note: 'price per hour ÷ output tokens per hour at the measured point',
    });
    const rows = data.rows.map((row) => {
      const arm = run.arms.find((a) => a.index === row.arm);
      return row.value === null && arm?.pricePerHourUsd === null ? { ...row, note: 'no price on its hardware' } : row;
    });
    return { ...data, rows };
  },
};

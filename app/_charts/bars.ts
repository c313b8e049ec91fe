import type { Value } from '@/server/core/metrics/value';
import type { BarRow, BarsData } from './chart-data';
import { type ChartArm, type ChartInput, metricOf } from './chart-input';

type Figure = Omit<BarRow, 'arm' | 'label' | 'isBaseline'>;

export const barRow = (arm: ChartArm, figure: Figure): BarRow => ({
  arm: arm.index,
  label: arm.label,
  isBaseline: arm.isBaseline,
  ...figure,
});

/** Why a figure is missing or doubtful. While a run goes on, a missing one is only not there yet. */
function noteOf(run: ChartInput, value: Value | null, reasons: readonly string[]): string | null {
  if (run.running && (value?.value ?? null) === null) return 'not measured yet';
  return value?.mark ?? (reasons.length > 0 ? reasons.join('; ') : null);
}

/** The report's figure of one metric for each arm; marked and invalid ones are hollow, with the reason. */
export function metricBars(run: ChartInput, key: string, words: { empty: string; note: string | null }): BarsData {
  const rows = run.arms.map((arm) => {
    const value = metricOf(run, arm.index, key);
    const trust = run.results.get(arm.index)?.trust;
    const invalid = trust?.grade === 'invalid';
    return barRow(arm, {
      value: value?.value ?? null,
      low: value?.low ?? null,
      high: value?.high ?? null,
      hollow: invalid || (value?.mark ?? null) !== null,
      note: noteOf(run, value, invalid ? trust.reasons : []),
    });
  });
  const overBlocks = run.arms.some((arm) => metricOf(run, arm.index, key)?.interval === 'blocks');
  return {
    kind: 'bars',
    empty: rows.some((row) => row.value !== null) ? null : words.empty,
    note: words.note,
    rows,
    marks: [],
    intervalOf: overBlocks ? 'line: 95 % interval over blocks' : null,
  };
}

import type { DotRow, DotsData } from './chart-data';
import { type ChartArm, type ChartInput, comparisonOf, currentTrial } from './chart-input';

const asRatio = (percent: number | null | undefined): number | null =>
  percent === null || percent === undefined ? null : 1 + percent / 100;

function ratioRow(run: ChartInput, arm: ChartArm, baseline: number, key: string): DotRow {
  const dots: DotRow['dots'][number][] = [];
  for (let block = 0; block < run.blocks; block += 1) {
    const own = currentTrial(run, arm.index, block);
    const base = currentTrial(run, baseline, block);
    const a = own?.point?.metrics[key]?.value;
    const b = base?.point?.metrics[key]?.value;
    if (!own || !base || !a || !b) continue;
    const reasons = [own, base].flatMap((t) => (t.valid === false ? t.reasons : []));
    dots.push({
      block,
      value: a / b,
      hollow: reasons.length > 0,
      note: reasons.length > 0 ? reasons.join('; ') : null,
    });
  }
  const comparison = comparisonOf(run, arm.index, key);
  return {
    arm: arm.index,
    label: arm.label,
    dots,
    mean: asRatio(comparison?.changePercent),
    low: asRatio(comparison?.low),
    high: asRatio(comparison?.high),
    verdict: comparison?.verdict ?? null,
  };
}

/** Each variant's figure ÷ the baseline's, block by block, with the interval of the comparison. */
export function blockRatios(run: ChartInput, baseline: number | null, key: string): DotsData {
  const band = run.equivalencePercent / 100;
  const variants = run.arms.filter((arm) => !arm.isBaseline);
  const rows = baseline === null ? [] : variants.map((arm) => ratioRow(run, arm, baseline, key));
  const empty =
    baseline === null || variants.length === 0
      ? 'There is no baseline to compare with: this experiment has one plan.'
      : 'A dot appears when a plan and the baseline have both been measured in a block.';
  return {
    kind: 'dots',
    empty: rows.some((row) => row.dots.length > 0) ? null : empty,
    note: `dot: one block; line: interval over blocks; band: ±${run.equivalencePercent} % counts as none`,
    rows,
    band: [1 - band, 1 + band],
  };
}

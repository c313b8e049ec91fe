import { barRow } from '../bars';
import type { BarRow, BarsData } from '../chart-data';
import { type ChartArm, type ChartInput, currentTrial } from '../chart-input';
import type { ChartSpec } from '../chart-spec';

const trialsOf = (run: ChartInput, arm: number) =>
  Array.from({ length: run.blocks }, (_, block) => currentTrial(run, arm, block)).filter((t) => t !== null);

function qualityRow(run: ChartInput, arm: ChartArm): BarRow {
  const found = trialsOf(run, arm.index).flatMap((t) => (t.quality ? [t.quality] : []));
  const kl = found.flatMap((q) => (q.klDivergence === null ? [] : [q.klDivergence]));
  const broken = found.flatMap((q) => (q.degenerate === null ? [] : [q.degenerate]));
  const unknown = run.running ? 'not evaluated yet' : 'quality not verified';
  const missing = arm.qualityState === 'lossless' ? 'lossless, not evaluated' : unknown;
  return barRow(arm, {
    value: kl.length === 0 ? null : kl.reduce((a, b) => a + b, 0) / kl.length,
    low: kl.length > 1 ? Math.min(...kl) : null,
    high: kl.length > 1 ? Math.max(...kl) : null,
    hollow: broken.length > 0,
    note: broken[0] ?? (kl.length === 0 ? missing : null),
  });
}

function marks(run: ChartInput): BarsData['marks'] {
  const floors = run.trials.flatMap((t) => (t.superseded ? [] : (t.quality?.noiseFloor ?? [])));
  return [
    ...(floors.length > 0 ? [{ value: Math.max(...floors), label: 'noise floor', kind: 'floor' as const }] : []),
    ...(run.klBudget === null ? [] : [{ value: run.klBudget, label: 'budget', kind: 'budget' as const }]),
  ];
}

export const quality: ChartSpec = {
  id: 'quality',
  title: 'What does it cost in quality?',
  unit: 'KL',
  better: 'lower',
  prepare: (run) => {
    const rows = run.arms.filter((arm) => !arm.isBaseline).map((arm) => qualityRow(run, arm));
    const none = run.running
      ? 'Quality is evaluated after a lossy plan has been measured.'
      : 'No plan of this experiment was evaluated for quality.';
    const budget = run.klBudget === null ? 'no budget set' : `budget ${run.klBudget}`;
    return {
      kind: 'bars',
      empty: rows.some((row) => row.value !== null || row.hollow) ? null : none,
      note: `KL divergence against the baseline on held-out text, ${budget}`,
      rows,
      marks: marks(run),
      intervalOf: rows.some((row) => row.low !== null) ? 'line: range over blocks' : null,
    };
  },
};

import type { ChartInput } from '@/app/_charts/chart-input';
import { currentTrial } from '@/app/_charts/chart-input';
import { type ChangeText, formatChange } from '@/app/_ui/format';
import type { Value } from '@/server/core/metrics/value';
import type { ExperimentSpec } from '@/server/core/run/experiment';
import { moreBlocksText } from '@/server/core/run/more-blocks';
import type { Comparison, Report } from '@/server/core/run/report';

/** Metrics of the table, in its order. */
export const TABLE_METRICS = [
  'outputTokensPerS',
  'ttftMsP50',
  'tpotMsP50',
  'tokensPerStep',
  'cpuMsPerOutputToken',
  'costPerMillionOutputTokens',
] as const;
export type TableMetric = (typeof TABLE_METRICS)[number];
/** Shown with their change against the baseline. */
export const COMPARED: ReadonlySet<TableMetric> = new Set(['outputTokensPerS', 'ttftMsP50', 'tpotMsP50']);

export interface ArmRow {
  arm: number;
  label: string;
  isBaseline: boolean;
  values: Readonly<Record<TableMetric, Value | null>>;
  changes: Readonly<Record<TableMetric, ChangeText>>;
  kl: number | null;
  blocksDone: number;
  blocks: number;
  verdict: ChangeText;
  /** Why the figures are not to be trusted; null where they are. */
  invalid: string | null;
  crown: string | null;
}

const record = <T>(make: (key: TableMetric) => T): Record<TableMetric, T> =>
  Object.fromEntries(TABLE_METRICS.map((key) => [key, make(key)])) as Record<TableMetric, T>;

/** The verdict on the first metric that was named before the run, with what more it needs or lacks. */
function verdictOf(comparison: Comparison | null, overBudget: boolean): ChangeText {
  const change = formatChange(comparison);
  if (!comparison) return change;
  const more =
    comparison.verdict === 'too noisy' && comparison.moreBlocks !== null
      ? `, ${moreBlocksText(comparison.moreBlocks)}`
      : '';
  return { ...change, word: `${change.word}${more}${overBudget ? ', over the quality budget' : ''}` };
}

function klOf(run: ChartInput, arm: number): number | null {
  const values = Array.from({ length: run.blocks }, (_, b) => currentTrial(run, arm, b)?.quality?.klDivergence ?? null);
  const known = values.filter((v) => v !== null);
  return known.length === 0 ? null : known.reduce((a, b) => a + b, 0) / known.length;
}

function blocksDone(run: ChartInput, arm: number): number {
  return Array.from({ length: run.blocks }, (_, b) => currentTrial(run, arm, b)).filter((t) => t?.state === 'succeeded')
    .length;
}

/** The table under the charts: one row a plan, the baseline first. */
export function armRows(
  run: ChartInput,
  spec: Pick<ExperimentSpec, 'primaryMetrics' | 'qualityBudgetKl'>,
  report: Pick<Report, 'best'> | null,
): ArmRow[] {
  const primary = spec.primaryMetrics[0] ?? 'outputTokensPerS';
  const rows = run.arms.map((arm): ArmRow => {
    const result = run.results.get(arm.index);
    const kl = klOf(run, arm.index);
    const over = kl !== null && spec.qualityBudgetKl !== null && kl > spec.qualityBudgetKl;
    const compared = (key: string): Comparison | null => (arm.isBaseline ? null : (result?.comparison[key] ?? null));
    return {
      arm: arm.index,
      label: arm.label,
      isBaseline: arm.isBaseline,
      values: record((key) => result?.metrics[key] ?? null),
      changes: record((key) => formatChange(compared(key))),
      kl: arm.isBaseline ? null : kl,
      blocksDone: blocksDone(run, arm.index),
      blocks: run.blocks,
      verdict: verdictOf(compared(primary), over),
      // While it runs, an arm without a whole block is not invalid, only not measured yet.
      invalid: !run.running && result?.trust.grade === 'invalid' ? result.trust.reasons.join('; ') : null,
      crown: report?.best?.deployment === arm.deployment ? report.best.reason : null,
    };
  });
  return rows.sort((a, b) => Number(b.isBaseline) - Number(a.isBaseline) || a.arm - b.arm);
}

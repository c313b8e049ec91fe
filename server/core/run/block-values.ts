import { METRIC_INFO } from '../metrics/metric-info';
import type { MetricValues, Value } from '../metrics/value';
import { twoSidedQuantile } from './student-t';

/** The figures of one metric, one a block, each exact within its own trial. */
export interface BlockFigure {
  block: number;
  value: Value;
}

const CONFIDENCE_ALPHA = 0.05;

/** Marks of the blocks, each once. */
function joinMarks(figures: readonly BlockFigure[]): string | null {
  const marks = new Set(figures.map((f) => f.value.mark).filter((m): m is string => m !== null));
  return marks.size === 0 ? null : [...marks].join('; ');
}

/** Mean and half-width of a 95 % t interval. */
function interval(values: readonly number[]): { mean: number; half: number } {
  const n = values.length;
  const mean = values.reduce((sum, v) => sum + v, 0) / n;
  const variance = values.reduce((sum, v) => sum + (v - mean) ** 2, 0) / (n - 1);
  return { mean, half: twoSidedQuantile(CONFIDENCE_ALPHA, n - 1) * Math.sqrt(variance / n) };
}

/**
 * One figure over blocks with its 95 % t interval: the geometric mean where all are above zero, so that ratios of
 * figures are the ratios that verdicts speak of, else the arithmetic mean. It replicates the block's figure (a p50,
 * say); it is no percentile of pooled samples. One block keeps its own figure and interval.
 */
function combine(figures: readonly BlockFigure[], allBlocks: number): Value | null {
  const [first] = figures;
  if (!first) return null;
  if (figures.length === 1) {
    return allBlocks === 1 ? first.value : { ...first.value, mark: joinMarks(figures) ?? 'one block only' };
  }
  const values = figures.map((f) => f.value.value ?? 0);
  const positive = values.every((v) => v > 0);
  const { mean, half } = interval(positive ? values.map(Math.log) : values);
  const back = positive ? Math.exp : (v: number): number => v;
  return {
    value: back(mean),
    low: back(mean - half),
    high: back(mean + half),
    unit: first.value.unit,
    n: figures.length,
    interval: 'blocks',
    mark: joinMarks(figures),
  };
}

/** Combines the metrics of an arm's blocks. A figure that no block has keeps its reason. */
export function combineBlocks(blocks: readonly { block: number; metrics: MetricValues }[]): MetricValues {
  const out: MetricValues = {};
  const keys = new Set(blocks.flatMap((b) => Object.keys(b.metrics)));
  for (const key of keys) {
    const all = blocks.flatMap((b) => (b.metrics[key] ? [{ block: b.block, value: b.metrics[key] }] : []));
    const figures = all.filter((f) => f.value.value !== null);
    const absent = all[0]?.value ?? null;
    const value = combine(figures, blocks.length) ?? absent;
    if (value) out[key] = { ...value, unit: METRIC_INFO[key]?.unit ?? value.unit };
  }
  return out;
}

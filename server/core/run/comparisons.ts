import { METRIC_KEYS } from '../metrics/metric-keys';
import { countedPoints, type LevelKey, levelsOf } from './arm-points';
import { type BlockPair, type ComparisonInput, compareAll } from './compare';
import type { ExperimentSpec } from './experiment';
import type { Comparison } from './report';
import type { ReportTrial } from './report-trial';

/** Comparisons of one arm at one level, by metric. */
export type LevelComparisons = Record<string, Comparison>;

type BlockPoints = ReturnType<typeof countedPoints>;

function pairsOf(baseline: BlockPoints, variant: BlockPoints, metric: string): BlockPair[] {
  return variant.flatMap(({ block, point }) => {
    const a = baseline.find((other) => other.block === block)?.point.metrics[metric]?.value;
    const b = point.metrics[metric]?.value;
    return typeof a === 'number' && typeof b === 'number' ? [{ block, baseline: a, variant: b }] : [];
  });
}

export const levelId = (arm: number, level: LevelKey): string => `${arm} ${level.workload.id} ${level.loadIndex}`;

/**
 * Every arm against arm 0, block by block, at every level. Verdicts are given to primary metrics at the first level
 * of target workloads: what was named before the run, and no more (Holm counts them).
 */
export function compareArms(spec: ExperimentSpec, trials: readonly ReportTrial[]): Map<string, LevelComparisons> {
  const places: { id: string; input: ComparisonInput }[] = [];
  for (const level of levelsOf(spec)) {
    const decides = level.workload.role === 'target' && level.loadIndex === 0;
    const baseline = countedPoints(trials, 0, level);
    for (let arm = 1; arm < spec.arms.length; arm++) {
      const variant = countedPoints(trials, arm, level);
      for (const metric of METRIC_KEYS) {
        const pairs = pairsOf(baseline, variant, metric);
        if (pairs.length === 0) continue;
        const primary = decides && spec.primaryMetrics.includes(metric);
        places.push({ id: levelId(arm, level), input: { metric, primary, pairs } });
      }
    }
  }
  const results = compareAll(
    places.map((p) => p.input),
    spec.blocks,
    spec.equivalencePercent,
  );
  const out = new Map<string, LevelComparisons>();
  places.forEach(({ id, input }, i) => {
    const result = results[i];
    if (!result) return;
    const entry = out.get(id) ?? {};
    entry[input.metric] = result;
    out.set(id, entry);
  });
  return out;
}

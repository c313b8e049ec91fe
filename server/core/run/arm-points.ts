import type { Workload } from '../workload/workload';
import type { ExperimentSpec } from './experiment';
import { isCounted, type ReportTrial } from './report-trial';
import type { Point } from './trial';

/** One workload at one of its load levels. */
export interface LevelKey {
  workload: Workload;
  loadIndex: number;
}

export const levelsOf = (spec: ExperimentSpec): LevelKey[] =>
  spec.workloads.flatMap((workload) => workload.loads.map((_, loadIndex) => ({ workload, loadIndex })));

/** The point of a trial at a level: levels of one workload follow each other in the workload's order. */
export function pointAt(trial: ReportTrial, level: LevelKey): Point | null {
  const points = trial.outcome?.points.filter((p) => p.workload === level.workload.id) ?? [];
  const load = level.workload.loads[level.loadIndex];
  const same = points.filter((p) => JSON.stringify(p.load) === JSON.stringify(load));
  return same[0] ?? null;
}

/** Points that count, one a block, in the order of blocks. */
export function countedPoints(
  trials: readonly ReportTrial[],
  arm: number,
  level: LevelKey,
): { block: number; point: Point }[] {
  const found = trials
    .filter((t) => t.arm === arm && isCounted(t) && t.outcome?.valid)
    .flatMap((t) => {
      const point = pointAt(t, level);
      return point?.valid ? [{ block: t.block, point }] : [];
    });
  return found.sort((a, b) => a.block - b.block);
}

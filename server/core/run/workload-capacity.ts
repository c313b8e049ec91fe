import type { MetricValues } from '../metrics/value';
import type { Load, Workload } from '../workload/workload';
import { countedPoints } from './arm-points';
import {
  type CapacityResult,
  findCapacity,
  type LevelAttainment,
  loadText,
  NOT_MEASURED,
  poolAttainment,
} from './capacity';
import type { CostReport, WorkloadReport } from './report';
import type { ReportTrial } from './report-trial';

/** Levels of a workload with one loop mode: only these share a scale. */
function levelsOfMode(
  trials: readonly ReportTrial[],
  arm: number,
  workload: Workload,
  mode: Load['mode'],
): LevelAttainment[] {
  return workload.loads.flatMap((load, loadIndex) => {
    if (load.mode !== mode) return [];
    const points = countedPoints(trials, arm, { workload, loadIndex }).map((c) => c.point);
    if (points.length === 0) return [];
    const saturated = points.filter((p) => p.saturated).length * 2 > points.length;
    return [{ loadIndex, load, saturated, attainment: poolAttainment(points.map((p) => p.attainment ?? [])) }];
  });
}

/** Capacity of one arm for a workload with limits; null without limits. */
export function capacityOf(
  trials: readonly ReportTrial[],
  arm: number,
  workload: Workload,
  mode: Load['mode'],
): CapacityResult | null {
  return workload.slos.length === 0 ? null : findCapacity(levelsOfMode(trials, arm, workload, mode));
}

const COST_PREFIX = 'costPer';
const costsIn = (metrics: MetricValues): MetricValues =>
  Object.fromEntries(Object.entries(metrics).filter(([key]) => key.startsWith(COST_PREFIX)));

/**
 * Where a workload's cost is read (METHODOLOGY, "cost"). Online, that is with limits: at capacity; no level feasible:
 * none. Offline, a closed loop without limits: in the steady window. Otherwise at the point measured, named.
 * @param at metrics of the arm at a level of the same workload
 */
export function costOf(
  load: Load,
  metrics: MetricValues,
  found: CapacityResult | null,
  at: (loadIndex: number) => MetricValues | null,
): CostReport {
  const here: CostReport = {
    basis: 'measured point',
    where: `at the measured point, ${loadText(load)}`,
    metrics: costsIn(metrics),
  };
  if (found === null) {
    const where = `in the steady window, ${loadText(load)}`;
    return load.mode === 'closed' ? { ...here, basis: 'steady window', where } : here;
  }
  if (found.feasible === false) return { basis: 'none', where: found.reason, metrics: {} };
  const level = found.capacity?.loadIndex;
  const best = level === undefined ? null : at(level);
  if (!found.capacity || best === null) return here;
  const { value, unit, kind } = found.capacity;
  return { basis: 'capacity', where: `at capacity, ${value} ${unit} (${kind})`, metrics: costsIn(best) };
}

/** Adds capacity and cost to the levels of one workload. Every level of a loop mode carries the same capacity. */
export function withCapacity(
  trials: readonly ReportTrial[],
  arm: number,
  workload: Workload,
  levels: readonly WorkloadReport[],
): WorkloadReport[] {
  return levels.map((level) => {
    const found = capacityOf(trials, arm, workload, level.load.mode);
    return {
      ...level,
      capacity: found?.capacity ?? null,
      capacityReason: found?.reason ?? null,
      cost: costOf(level.load, level.metrics, found, (loadIndex) => levels[loadIndex]?.metrics ?? null),
    };
  });
}

/** One note a workload for those without a capacity, each reason once. */
export function capacityNotes(deployments: readonly { label: string; results: readonly WorkloadReport[] }[]): string[] {
  const labels = new Map<string, string[]>();
  for (const { label, results } of deployments) {
    for (const reason of new Set(
      results.flatMap((r) => r.capacityReason ?? []).filter((reason) => reason !== NOT_MEASURED),
    )) {
      labels.set(reason, [...(labels.get(reason) ?? []), label]);
    }
  }
  return [...labels].map(([reason, of]) => `${of.join(', ')}: ${reason}`);
}

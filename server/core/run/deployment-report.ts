import type { MetricValues } from '../metrics/value';
import type { Plan } from '../plan/plan';
import { countedPoints, type LevelKey, pointAt } from './arm-points';
import { combineBlocks } from './block-values';
import { type LevelComparisons, levelId } from './comparisons';
import type { ExperimentSpec } from './experiment';
import { qualityState } from './quality-verdict';
import type { DeploymentReport, WorkloadReport } from './report';
import { isCounted, type ReportTrial } from './report-trial';
import type { EffectiveRow, Point, Quality } from './trial';
import { gradeTrust } from './trust';
import { withCapacity } from './workload-capacity';

const STATE_WEIGHT: Record<EffectiveRow['state'], number> = { applied: 0, unverified: 1, ignored: 2, changed: 3 };

/** What the engine applied, over all counted trials: the worst that was seen of each setting. */
export function mergeEffective(trials: readonly ReportTrial[]): EffectiveRow[] {
  const worst = new Map<string, EffectiveRow>();
  for (const row of trials.filter((t) => !t.superseded).flatMap((t) => t.outcome?.effective ?? [])) {
    const key = `${row.nodeId} ${row.setting}`;
    const seen = worst.get(key);
    if (!seen || STATE_WEIGHT[row.state] > STATE_WEIGHT[seen.state]) worst.set(key, row);
  }
  return [...worst.values()];
}

/** The latest block's quality; a degenerate output in any block stays. */
export function mergeQuality(trials: readonly ReportTrial[]): Quality | null {
  const found = trials
    .filter(isCounted)
    .sort((a, b) => a.block - b.block)
    .flatMap((t) => t.outcome?.quality ?? []);
  const measured = found.filter((q) => q.perplexity !== null).at(-1) ?? found.at(-1);
  if (!measured) return null;
  return { ...measured, degenerate: found.find((q) => q.degenerate !== null)?.degenerate ?? null };
}

function trialRows(trials: readonly ReportTrial[], level: LevelKey): WorkloadReport['trials'] {
  return [...trials]
    .sort((a, b) => a.block - b.block || a.attempt - b.attempt)
    .map((trial) => {
      const point = pointAt(trial, level);
      const cause = trial.outcome?.cause;
      return {
        state: trial.state,
        block: trial.block,
        attempt: trial.attempt,
        superseded: trial.superseded,
        valid: trial.state === 'succeeded' && trial.outcome?.valid === true && point?.valid === true,
        reasons: [
          ...(cause ? [`${cause.code}: ${cause.message}`] : []),
          ...(point?.reasons ?? trial.outcome?.reasons ?? []),
        ],
        metrics: point?.metrics ?? {},
        requests: point?.requests ?? 0,
        outcomes: point?.outcomes ?? {},
      };
    });
}

function levelReport(
  trials: readonly ReportTrial[],
  arm: number,
  level: LevelKey,
  comparison: LevelComparisons,
): WorkloadReport {
  const own = trials.filter((t) => t.arm === arm);
  const counted = countedPoints(trials, arm, level);
  const points = counted.map((c) => c.point);
  const tried = own.filter(isCounted).flatMap((t) => pointAt(t, level) ?? []);
  const metrics: MetricValues = combineBlocks(counted.map((c) => ({ block: c.block, metrics: c.point.metrics })));
  const { workload, loadIndex } = level;
  const load = workload.loads[loadIndex];
  if (!load) throw new RangeError(`workload ${workload.id} has no load ${loadIndex}`);
  const windowS =
    points.length > 0 ? points.reduce((sum, p: Point) => sum + p.windowS, 0) / points.length : workload.windowS;
  return {
    workload: workload.id,
    role: workload.role,
    load,
    windowS,
    metrics,
    prediction: null,
    trust: gradeTrust(points, tried),
    capacity: null,
    comparison,
    trials: trialRows(own, level),
  };
}

/** Everything that is known of one arm so far. */
export function reportDeployment(
  spec: ExperimentSpec,
  trials: readonly ReportTrial[],
  arm: number,
  plan: Plan,
  comparisons: ReadonlyMap<string, LevelComparisons>,
): DeploymentReport {
  const own = trials.filter((t) => t.arm === arm);
  const quality = mergeQuality(own);
  const baselineQuality = mergeQuality(trials.filter((t) => t.arm === 0));
  const results = spec.workloads.flatMap((workload) => {
    const levels = workload.loads.map((_, loadIndex) => {
      const level = { workload, loadIndex };
      return levelReport(trials, arm, level, comparisons.get(levelId(arm, level)) ?? {});
    });
    return withCapacity(trials, arm, workload, levels);
  });
  const engine = plan.components.find((c) => c.role === 'engine') ?? plan.components[0];
  return {
    deployment: plan.deployment,
    label: plan.label,
    planHash: plan.planHash,
    isBaseline: plan.isBaseline,
    engine: engine?.engine ?? 'unknown',
    engineVersion: engine?.engineVersion ?? 'unknown',
    device: engine ? `${engine.hardware.count} × ${engine.hardware.id}` : 'unknown',
    effective: mergeEffective(own),
    quality,
    qualityState: qualityState(plan, quality, baselineQuality, spec.qualityBudgetKl),
    results,
  };
}

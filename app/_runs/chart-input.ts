import type { ChartInput, ChartTrial, WorkloadReport } from '@/app/_charts/chart-input';
import type { ExperimentSpec } from '@/server/core/run/experiment';
import type { Report } from '@/server/core/run/report';
import type { Load, Workload } from '@/server/core/workload/workload';
import { type LiveState, type LiveTrial, seriesKey } from './live-state';

const sameLoad = (a: Load, b: Load): boolean =>
  a.mode === 'closed'
    ? b.mode === 'closed' && a.concurrency === b.concurrency
    : a.mode === b.mode && a.ratePerS === b.ratePerS;

/** The workload that the page opens on: the target, else the first. */
export const mainWorkload = (spec: Pick<ExperimentSpec, 'workloads'>): Workload | undefined =>
  spec.workloads.find((w) => w.role === 'target') ?? spec.workloads[0];

function chartTrial(trial: LiveTrial, workload: string, loadIndex: number, load: Load): ChartTrial {
  return {
    id: trial.id,
    arm: trial.arm,
    block: trial.block,
    attempt: trial.attempt,
    state: trial.state,
    superseded: trial.superseded,
    valid: trial.valid,
    reasons: trial.reasons,
    seconds: trial.seconds[seriesKey(workload, loadIndex)] ?? [],
    point: trial.points.find((p) => p.workload === workload && sameLoad(p.load, load)) ?? null,
    quality: trial.quality,
  };
}

/** The report's figures by arm. Arms and deployments meet by the arm's id. */
function resultsByArm(spec: Pick<ExperimentSpec, 'arms'>, report: Report | null, workload: string) {
  const byArm = new Map<number, readonly WorkloadReport[]>();
  spec.arms.forEach((plan, arm) => {
    const found = report?.deployments.find((d) => d.deployment === plan.deployment);
    const results = found?.results.filter((r) => r.workload === workload) ?? [];
    if (results.length > 0) byArm.set(arm, results);
  });
  return byArm;
}

/** What charts draw: the chosen load level of the chosen workload, and only the plans that the reader kept. */
export function toChartInput(
  spec: ExperimentSpec,
  live: LiveState,
  report: Report | null,
  choice: { workload: Workload; loadIndex: number; arms: readonly number[] },
): ChartInput | null {
  const { workload, loadIndex } = choice;
  const load = workload.loads[loadIndex];
  if (!load) return null;
  const shown = new Set(choice.arms);
  const allLoads = resultsByArm(spec, report, workload.id);
  const results = new Map(
    [...allLoads].flatMap(([arm, list]) => {
      const result = list.find((r) => sameLoad(r.load, load));
      return result ? [[arm, result] as const] : [];
    }),
  );
  const { state } = live.experiment;
  return {
    arms: spec.arms
      .map((plan, index) => ({
        index,
        label: plan.label,
        deployment: plan.deployment,
        isBaseline: plan.isBaseline,
        pricePerHourUsd: plan.pricePerHourUsd,
        qualityState: report?.deployments[index]?.qualityState ?? (plan.loss === 'none' ? 'lossless' : undefined),
      }))
      .filter((arm) => shown.has(arm.index)),
    trials: Object.values(live.trials)
      .filter((trial) => shown.has(trial.arm))
      .map((trial) => chartTrial(trial, workload.id, loadIndex, load)),
    blocks: spec.blocks,
    windowS: workload.windowS,
    load,
    slos: workload.slos,
    results,
    allLoads,
    klBudget: spec.qualityBudgetKl,
    equivalencePercent: spec.equivalencePercent,
    running: state === 'queued' || state === 'running',
  };
}

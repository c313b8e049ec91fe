import type { SecondRow } from '@/server/core/metrics/records';
import type { Value } from '@/server/core/metrics/value';
import type { Comparison, QualityState, Report } from '@/server/core/run/report';
import type { Point, Quality, TrialState } from '@/server/core/run/trial';
import type { Load, Slo } from '@/server/core/workload/workload';

export type WorkloadReport = Report['deployments'][number]['results'][number];

/** One plan of the experiment, in the fixed order that gives it its colour. */
export interface ChartArm {
  index: number;
  label: string;
  deployment: string;
  isBaseline: boolean;
  pricePerHourUsd: number | null;
  /** As the report says, or `lossless` by the plan alone; absent while neither tells. */
  qualityState?: QualityState;
}

/** One trial at the chosen workload and load level. `valid` is null while it runs. */
export interface ChartTrial {
  id: string;
  arm: number;
  block: number;
  attempt: number;
  state: TrialState;
  superseded: boolean;
  valid: boolean | null;
  reasons: readonly string[];
  seconds: readonly SecondRow[];
  point: Point | null;
  quality: Quality | null;
}

/** All that a chart may look at: one experiment at one workload and load level. */
export interface ChartInput {
  arms: readonly ChartArm[];
  trials: readonly ChartTrial[];
  /** Planned number of blocks, and planned seconds of each measurement. */
  blocks: number;
  windowS: number;
  load: Load;
  slos: readonly Slo[];
  /** By arm: the report's figures at this load level, and at every load level of this workload. */
  results: ReadonlyMap<number, WorkloadReport>;
  allLoads: ReadonlyMap<number, readonly WorkloadReport[]>;
  klBudget: number | null;
  equivalencePercent: number;
  running: boolean;
}

export const metricOf = (run: ChartInput, arm: number, key: string): Value | null =>
  run.results.get(arm)?.metrics[key] ?? null;

export const comparisonOf = (run: ChartInput, arm: number, key: string): Comparison | null =>
  run.results.get(arm)?.comparison[key] ?? null;

/** The trial that counts for an arm in a block: not superseded, the newest attempt. */
export function currentTrial(run: ChartInput, arm: number, block: number): ChartTrial | null {
  let current: ChartTrial | null = null;
  for (const trial of run.trials) {
    if (trial.arm !== arm || trial.block !== block || trial.superseded) continue;
    if (!current || trial.attempt > current.attempt) current = trial;
  }
  return current;
}

/** `8 clients, closed loop` or `4 requests/s, Poisson`: it stands on the chart. */
export function loadText(load: Load): string {
  if (load.mode === 'closed') return `${load.concurrency} client${load.concurrency === 1 ? '' : 's'}, closed loop`;
  return `${load.ratePerS} requests/s, ${load.mode === 'poisson' ? 'Poisson' : 'constant'}, open loop`;
}

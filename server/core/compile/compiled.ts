import type { Engine } from '../engines/engine';
import type { Finding } from '../plan/finding';
import type { Plan } from '../plan/plan';
import type { Rule } from '../rules/rule';
import type { Workload } from '../workload/workload';

/** What the compiler needs beside the document: the engine and rule registries, injected so that tests can vary them. */
export interface CompileOptions {
  engines: readonly Engine[];
  rules?: readonly Rule[];
}

/** What a pipeline means. `plans[0]` is the baseline where there is one; arms with errors have findings and no plan. */
export interface Compiled {
  plans: Plan[];
  /** Arm id of the baseline; empty where no plan could be made. */
  baseline: string;
  /** Target first, then guards. */
  workloads: Workload[];
  findings: Finding[];
  pipelineHash: string;
  /** How the experiment is judged, from the baseline's deployment node (else the first one). */
  protocol: { blocks: number; primaryMetrics: string[]; qualityBudgetKl: number | null };
}

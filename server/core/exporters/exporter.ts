import type { Engine } from '../engines/engine';
import type { Finding } from '../plan/finding';
import type { Plan } from '../plan/plan';
import type { Workload } from '../workload/workload';
import type { Evidence } from './evidence';
import type { MeasuredTrial } from './trial-evidence';

/** What a form may know beside the plan. */
export interface ExportContext {
  /** Traffic of the pipeline, the target first; empty where nobody gave any. */
  workloads: readonly Workload[];
  /** The whole trial behind the evidence; null where there is none. */
  trial: MeasuredTrial | null;
}
export const NO_CONTEXT: ExportContext = { workloads: [], trial: null };

export interface ExportInput extends ExportContext {
  plan: Plan;
  /** The engine of the plan's component, from the registry. */
  engine: Engine;
  /** A run of a plan, if there is one; used only where everything matches the file. */
  evidence: Evidence | null;
}

export interface ExportedFile {
  /** Relative, forward slashes. */
  path: string;
  content: string;
}

export interface Exported {
  files: ExportedFile[];
  /** One for each setting that has no form in the file, and whatever a reader of the file must know. */
  findings: Finding[];
}

/** What a form is for, in the order in which a list of forms shows them. */
export const EXPORT_GROUPS = [
  'command line',
  'container',
  'cluster',
  'gateway',
  'monitoring',
  'weights',
  'benchmark',
] as const;
export type ExportGroup = (typeof EXPORT_GROUPS)[number];

/** One kind of manifest: one file in `exporters/`, one line in the registry. Pure and deterministic. */
export interface Exporter {
  id: string;
  group: ExportGroup;
  title: string;
  summary: string;
  /** Null if the plan can be written in this form, else why not. */
  refusal(plan: Plan): string | null;
  supports(plan: Plan): boolean;
  render(input: ExportInput): Exported;
}

/** The plan's only component, where it has one that is launched. */
export function launchedComponent(plan: Plan): Plan['components'][number] | null {
  const [component, ...others] = plan.components;
  return component === undefined || others.length > 0 || component.endpoint !== null ? null : component;
}

/** Why a plan cannot be exported as a server of one of these engines; null if it can. */
export function refuseOtherEngines(plan: Plan, engines: readonly string[], form: string): string | null {
  const component = launchedComponent(plan);
  if (component === null) {
    return plan.components.length > 1
      ? `${form} holds one component; ${plan.deployment} has ${plan.components.length}.`
      : `${plan.deployment} uses a server that runs already: there is nothing to launch.`;
  }
  if (engines.includes(component.engine)) return null;
  return `${form} is for ${engines.join(' or ')}; ${plan.deployment} runs ${component.engine}.`;
}

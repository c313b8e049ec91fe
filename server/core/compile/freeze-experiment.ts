import { ENGINES } from '../engines/index';
import { type Finding, finding } from '../plan/finding';
import type { Plan } from '../plan/plan';
import type { ExperimentSpec } from '../run/experiment';
import { exportedOnly, exportedOnlyMessage } from '../run/exported-only';
import type { Compiled } from './compiled';

export interface FreezeOptions {
  seed: number;
  /** Null: what the baseline's deployment says. */
  blocks?: number | null;
  /** Arms or deployment nodes to run beside the baseline; null or empty: all. */
  deployments?: readonly string[] | null;
  /** Workloads to run; null or empty: all. */
  workloads?: readonly string[] | null;
}

export interface Frozen {
  /** Null where the findings forbid a run. */
  spec: ExperimentSpec | null;
  findings: Finding[];
}

const chosen = (names: readonly string[] | null | undefined, ...ids: (string | null)[]): boolean =>
  !names || names.length === 0 || ids.some((id) => id !== null && names.includes(id));

function missing(compiled: Compiled, options: FreezeOptions): Finding[] {
  const arms = compiled.plans.flatMap((plan) => [plan.deployment, plan.deploymentNodeId]);
  const workloads = compiled.workloads.map((workload) => workload.id);
  const absent = (
    names: readonly string[] | null | undefined,
    known: readonly (string | null)[],
    what: string,
  ): Finding[] =>
    (names ?? [])
      .filter((name) => !known.includes(name))
      .map((name) =>
        finding(
          'error',
          `${what}-unknown`,
          `There is no ${what} "${name}" to run; known are ${[...new Set(known)].filter(Boolean).join(', ')}.`,
        ),
      );
  return [...absent(options.deployments, arms, 'deployment'), ...absent(options.workloads, workloads, 'workload')];
}

/** A plan of an engine without a server is exported; nothing could be started or measured. */
function withoutServer(arms: Compiled['plans']): Finding[] {
  const components = arms.flatMap((plan) => plan.components.map((component) => ({ plan, component })));
  return components.flatMap(({ plan, component }) => {
    const engine = ENGINES.find(({ id }) => id === component.engine);
    if (engine?.noServer === undefined) return [];
    const message = `${plan.deployment} cannot be run: ${engine.title}: ${engine.noServer.reason}.`;
    const where = { nodeId: plan.deploymentNodeId, source: engine.noServer.source };
    return [finding('error', 'engine-without-server', message, where)];
  });
}

/** A plan that workers cannot run yet must not be measured as if the rest of it were not there. */
function notRunYet(plan: Plan): Finding[] {
  const only = exportedOnly(plan);
  if (only === null) return [];
  return [finding('error', 'exported-only', exportedOnlyMessage(plan, only), { nodeId: only.nodeId })];
}

/** Freezes what an experiment runs: arm 0 is the baseline, the target workload comes first. Errors forbid it. */
export function freezeExperiment(compiled: Compiled, options: FreezeOptions): Frozen {
  const arms = compiled.plans.filter(
    (p) => p.isBaseline || chosen(options.deployments, p.deployment, p.deploymentNodeId),
  );
  const errors = [
    ...compiled.findings.filter((f) => f.severity === 'error'),
    ...missing(compiled, options),
    ...arms.flatMap(notRunYet),
  ];
  errors.push(...withoutServer(arms));
  const workloads = compiled.workloads.filter((workload) => chosen(options.workloads, workload.id));
  if (errors.length === 0 && !arms.some((plan) => plan.isBaseline)) {
    errors.push(finding('error', 'no-baseline', 'There is no baseline to compare with.'));
  }
  if (errors.length > 0) return { spec: null, findings: errors };
  const { protocol, pipelineHash } = compiled;
  const spec: ExperimentSpec = {
    pipelineHash,
    seed: options.seed,
    arms,
    workloads,
    blocks: options.blocks ?? protocol.blocks,
    primaryMetrics: protocol.primaryMetrics,
    equivalencePercent: 3,
    qualityBudgetKl: protocol.qualityBudgetKl,
    demo: arms.some((plan) => plan.checkpoints.some((checkpoint) => checkpoint.repo.startsWith('bundled:'))),
  };
  return { spec, findings: [] };
}

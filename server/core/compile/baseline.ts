import type { ValidatedParams } from '../catalog/validate-params';
import type { Arm } from '../pipeline/expand';
import { uniqueId } from '../pipeline/parse-parts';
import { type Finding, finding } from '../plan/finding';
import type { Plan } from '../plan/plan';
import type { Workload } from '../workload/workload';
import { compileArm } from './compile-arm';
import type { CompileOptions } from './compiled';

export interface CompiledArms {
  /** The baseline first. */
  plans: Plan[];
  findings: Finding[];
  /** Deployment node of a marked baseline. */
  baselineNodeId: string | null;
}

/** Id of the baseline that nobody drew. */
const SYNTHESIZED_ID = 'baseline';

function checkMarks(marked: readonly Arm[]): Finding[] {
  const first = marked[0];
  const nodes = [...new Set(marked.map((arm) => arm.deployment.id))];
  const others = nodes.slice(1).map((nodeId) => {
    const message = `"${nodes[0]}" is the baseline already; there can be one.`;
    const fix: Finding['fix'] = {
      label: 'Take the mark off',
      edits: [{ op: 'set-param', nodeId, field: 'baseline', value: false }],
    };
    return finding('error', 'several-baselines', message, { nodeId, field: 'baseline', fix });
  });
  const arms = marked.filter((arm) => arm.deployment.id === first?.deployment.id);
  if (arms.length <= 1) return others;
  const message = `The baseline stands for ${arms.length} plans; it must be exactly one. Take the choices and sweeps out of it.`;
  return [...others, finding('error', 'baseline-ambiguous', message, { nodeId: nodes[0] ?? null, field: 'baseline' })];
}

/** The same model, hardware and engine without any technique. */
function plainArm(arm: Arm, id: string): Arm {
  const plain = arm.participants.filter((p) => p.scope === 'target' && p.type.technique === null);
  return { ...arm, id, participants: plain, choices: [] };
}

/**
 * Compiles every arm and settles the baseline: the marked deployment; else, for servers that run elsewhere, the first
 * arm, since nothing about them can be taken off; else one made from the first arm's model, hardware and engine with
 * the engine's defaults plus what the workload needs.
 */
export function chooseBaseline(
  arms: readonly Arm[],
  params: ReadonlyMap<string, ValidatedParams>,
  options: CompileOptions,
  workloads: readonly Workload[],
): CompiledArms {
  const marked = arms.filter((arm) => params.get(arm.deployment.id)?.values.baseline === true);
  const findings = checkMarks(marked);
  const baselineArm = marked[0] ?? null;
  const plans: Plan[] = [];
  for (const arm of arms) {
    const result = compileArm(arm, options, workloads, { isBaseline: arm === baselineArm, synthesized: false });
    findings.push(...result.findings);
    if (result.plan) plans.push(result.plan);
  }
  if (baselineArm) {
    plans.sort((a, b) => Number(b.isBaseline) - Number(a.isBaseline));
    return { plans, findings, baselineNodeId: baselineArm.deployment.id };
  }
  const first = arms.find((arm) => plans.some((plan) => plan.deployment === arm.id));
  const [plan, ...others] = plans;
  if (!first || !plan) return { plans, findings, baselineNodeId: null };
  if (plan.components.some((component) => component.endpoint !== null)) {
    return { plans: [{ ...plan, isBaseline: true }, ...others], findings, baselineNodeId: null };
  }
  const id = uniqueId(SYNTHESIZED_ID, new Set(plans.map((p) => p.deployment)));
  const made = compileArm(plainArm(first, id), options, workloads, { isBaseline: true, synthesized: true });
  return {
    plans: [...(made.plan ? [made.plan] : []), ...plans],
    findings: [...findings, ...made.findings],
    baselineNodeId: null,
  };
}

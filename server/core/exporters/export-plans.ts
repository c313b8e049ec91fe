import type { Engine } from '../engines/engine';
import { type Finding, finding } from '../plan/finding';
import type { Plan } from '../plan/plan';
import type { Evidence } from './evidence';
import { type ExportContext, type Exported, type Exporter, NO_CONTEXT } from './exporter';

/** Writes one plan in one form; a plan that has no such form gives an error finding and no file. */
export function exportPlan(
  plan: Plan,
  exporter: Exporter,
  engines: readonly Engine[],
  evidence: Evidence | null = null,
  context: ExportContext = NO_CONTEXT,
): Exported {
  const refusal = exporter.refusal(plan);
  const engine = engines.find((entry) => entry.id === plan.components[0]?.engine);
  const refuse = (message: string): Exported => {
    const where = { nodeId: plan.deploymentNodeId };
    return { files: [], findings: [finding('error', 'export-refused', message, where)] };
  };
  if (refusal !== null) return refuse(refusal);
  if (engine === undefined) return refuse(`The engine ${plan.components[0]?.engine} is in no registry.`);
  return exporter.render({ plan, engine, evidence, ...context });
}

/** A folder name of an arm id: letters, digits and a few signs, never a way out of the folder. */
export const folderOf = (deployment: string): string =>
  deployment.replace(/[^A-Za-z0-9_=-]+/g, '_').slice(0, 100) || 'plan';

/** Several plans in one form: each in a folder of its own. Two ids that give one folder name get a number. */
export function exportPlans(
  plans: readonly Plan[],
  exporter: Exporter,
  engines: readonly Engine[],
  evidenceOf: (plan: Plan) => Evidence | null = () => null,
  contextOf: (plan: Plan) => ExportContext = () => NO_CONTEXT,
): Exported {
  const [only, ...others] = plans;
  if (only !== undefined && others.length === 0) {
    return exportPlan(only, exporter, engines, evidenceOf(only), contextOf(only));
  }
  const taken = new Map<string, number>();
  const findings: Finding[] = [];
  const files = plans.flatMap((plan) => {
    const name = folderOf(plan.deployment);
    const count = (taken.get(name) ?? 0) + 1;
    taken.set(name, count);
    const exported = exportPlan(plan, exporter, engines, evidenceOf(plan), contextOf(plan));
    findings.push(...exported.findings);
    const folder = count === 1 ? name : `${name}-${count}`;
    return exported.files.map((file) => ({ ...file, path: `${folder}/${file.path}` }));
  });
  return { files, findings };
}

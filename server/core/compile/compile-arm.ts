import type { Arm } from '../pipeline/expand';
import { type Finding, finding } from '../plan/finding';
import type { Plan } from '../plan/plan';
import type { ArmModel, RuleContext } from '../rules/rule';
import type { Workload } from '../workload/workload';
import { WORKLOAD_ORIGIN } from './asked-settings';
import { buildPlan } from './build-plan';
import type { CompileOptions } from './compiled';
import { type Defaults, engineDefaults, isDefault, lowerSettings, valueReader } from './lower-settings';
import { type ResolvedArm, resolveArm } from './resolve-arm';

export interface ArmResult {
  /** Null where the arm cannot be launched as it is; the findings say why. A rule's error leaves the plan to look at. */
  plan: Plan | null;
  findings: Finding[];
}

function alreadyDefault(arm: Arm, resolved: ResolvedArm, defaults: Defaults): Finding[] {
  const swept = new Set(arm.choices.flatMap((c) => (c.kind === 'sweep' ? [JSON.stringify([c.nodeId, c.name])] : [])));
  return resolved.asked.list().flatMap((asked): Finding[] => {
    const { nodeId, field, name, value } = asked;
    if (nodeId === WORKLOAD_ORIGIN || !isDefault(asked, defaults) || swept.has(JSON.stringify([nodeId, field])))
      return [];
    const { engine, version } = resolved.engine;
    const message = `${name} ${JSON.stringify(value)} is what ${engine.title} ${version} does anyway.`;
    return [finding('info', 'already-default', message, { nodeId, field, source: defaults[name]?.source ?? null })];
  });
}

function modelsForRules(resolved: ResolvedArm): RuleContext['models'] {
  const models: Partial<Record<string, ArmModel>> = {};
  for (const { scope, id, nodeId, facts } of Object.values(resolved.models)) models[scope] = { id, nodeId, facts };
  return models;
}

function ruleContext(
  arm: Arm,
  resolved: ResolvedArm,
  defaults: Defaults,
  plan: Plan,
  workloads: readonly Workload[],
): RuleContext {
  const { engine, nodeId, runtime, version } = resolved.engine;
  const { id, kind, count, facts, nodeId: hardwareNodeId } = resolved.hardware;
  const [component] = plan.components;
  if (!component) throw new Error(`plan ${plan.deployment} has no component`);
  return {
    deployment: arm.id,
    deploymentNodeId: plan.deploymentNodeId,
    isBaseline: plan.isBaseline,
    engine,
    engineNodeId: nodeId,
    runtime,
    version,
    hardware: { id, kind, count, facts, nodeId: hardwareNodeId },
    models: modelsForRules(resolved),
    nodes: arm.participants.map((p) => ({ id: p.node.id, type: p.node.type, scope: p.scope, params: p.params })),
    workloads,
    checkpoints: resolved.checkpoints,
    component,
    policies: plan.policies,
    asked: (name, scope = 'target') => resolved.asked.get(name, scope),
    value: valueReader(resolved, defaults),
  };
}

/** Compiles one arm: look up, lower, freeze, judge by the rules. */
export function compileArm(
  arm: Arm,
  options: CompileOptions,
  workloads: readonly Workload[],
  as: { isBaseline: boolean; synthesized: boolean },
): ArmResult {
  const { resolved, findings } = resolveArm(arm, options.engines, workloads);
  if (!resolved) return { plan: null, findings };
  const defaults = engineDefaults(resolved);
  const lowered = lowerSettings(resolved, defaults);
  findings.push(...lowered.findings);
  if (lowered.findings.some((f) => f.severity === 'error')) return { plan: null, findings };
  const plan = buildPlan({ arm, resolved, lowered, defaults, ...as });
  const context = ruleContext(arm, resolved, defaults, plan, workloads);
  findings.push(
    ...alreadyDefault(arm, resolved, defaults),
    ...(options.rules ?? []).flatMap((rule) => rule.check(context)),
  );
  return { plan, findings };
}

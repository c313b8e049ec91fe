import type { Arm } from '../pipeline/expand';
import { type Finding, finding } from '../plan/finding';
import type { Component, Plan } from '../plan/plan';
import type { ArmModel, RuleContext } from '../rules/rule';
import type { Workload } from '../workload/workload';
import { WORKLOAD_ORIGIN } from './asked-settings';
import { buildPlan } from './build-plan';
import type { CompileOptions } from './compiled';
import { layOut } from './lay-out';
import { type Defaults, engineDefaults, isDefault, valueReader } from './lower-settings';
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
  component: Component,
  workloads: readonly Workload[],
): RuleContext {
  const { engine, nodeId, runtime, version } = resolved.engine;
  const { id, kind, count, facts, nodeId: hardwareNodeId } = resolved.hardware;
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
  const laid = layOut(resolved, defaults);
  findings.push(...laid.findings);
  if (laid.findings.some((f) => f.severity === 'error')) return { plan: null, findings };
  const components = [...laid.engines.map((e) => e.component), ...laid.others];
  const plan = buildPlan({ arm, resolved, components, request: laid.request, defaults, ...as });
  const contexts = laid.engines.map((engine) =>
    ruleContext(arm, engine.arm, defaults, plan, engine.component, workloads),
  );
  findings.push(
    ...alreadyDefault(arm, resolved, defaults),
    ...(options.rules ?? []).flatMap((rule) => contexts.flatMap((context) => rule.check(context))),
  );
  return { plan, findings };
}

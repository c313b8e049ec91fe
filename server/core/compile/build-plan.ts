import type { LossClass } from '../catalog/node-type';
import { partOf } from '../facts/model-facts';
import type { Arm } from '../pipeline/expand';
import { hashOf } from '../plan/canonical';
import type { Arg, Checkpoint, Component, Plan } from '../plan/plan';
import type { Policies } from '../plan/policies';
import type { AskedSetting, Scope, SettingName } from '../plan/settings';
import { SETTING_NAMES } from '../plan/settings';
import { configFileOf } from './config-file';
import { typeOf } from './formats';
import type { Defaults, LoweredSettings } from './lower-settings';
import type { ResolvedArm } from './resolve-arm';

const LOSS_ORDER: readonly LossClass[] = ['none', 'under-1-percent', '1-to-3-percent', 'over-3-percent', 'lossy'];

/** Whether a scope's weights are the model's own, in the quantization that it was trained for and published in. */
function isAsPublished({ checkpoints, models }: ResolvedArm, scope: Scope): boolean {
  const checkpoint = checkpoints.find((entry) => entry.scope === scope);
  const facts = models[scope]?.facts ?? null;
  const method = partOf(facts?.quantization ?? null)?.method;
  if (checkpoint === undefined || facts === null || method === undefined) return false;
  return checkpoint.recipe === null && checkpoint.repo === facts.repo && typeOf(checkpoint.format).startsWith(method);
}

/** Worst loss class of the techniques, against the model as it was published. */
function lossOf(arm: Arm, resolved: ResolvedArm): LossClass {
  const losses = arm.participants.flatMap(({ type, params, scope }) => {
    if (type.technique === null) return [];
    const isWeights = type.settings.includes('weightsFormat');
    return isWeights && isAsPublished(resolved, scope) ? [] : [type.loss?.(params as never) ?? type.technique.loss];
  });
  return losses.reduce<LossClass>((a, b) => (LOSS_ORDER.indexOf(b) > LOSS_ORDER.indexOf(a) ? b : a), 'none');
}

function labelOf(arm: Arm, isBaseline: boolean): string {
  const { name } = arm.participants.at(-1)?.params ?? {};
  const choices = arm.id.slice(arm.deployment.id.length);
  if (typeof name === 'string' && name !== '') return `${name}${choices}`;
  const labels = arm.participants.flatMap(({ type, params, scope }) => {
    const label = type.label?.(params as never) ?? null;
    return label === null ? [] : [scope === 'target' ? label : `${scope} ${label}`];
  });
  return labels.join(' + ') || (isBaseline ? 'Baseline' : arm.id);
}

type ResolvedSettings = Plan['settings'];

function resolvedSetting(asked: AskedSetting | null, known: Defaults[SettingName]): ResolvedSettings[string] {
  return {
    asked: asked?.value ?? null,
    default: known?.value ?? null,
    defaultSource: known?.source ?? null,
    origin: asked?.nodeId ?? 'default',
    field: asked?.field ?? null,
  };
}

/** Degrees of the pools, as settings of their scopes. */
function poolSettings({ policies }: ResolvedArm): ResolvedSettings {
  const pools = policies.disaggregation;
  if (pools === null) return {};
  const degree = (role: 'prefill' | 'decode') => {
    const shared = { default: null, defaultSource: null, origin: pools.nodeIds[0] ?? 'default', field: null };
    return [`${role}.tensorParallel`, { asked: pools[role].tensorParallel, ...shared }] as const;
  };
  return Object.fromEntries([degree('prefill'), degree('decode')]);
}

/** Every setting that was asked for or has a known default. Scopes other than the target are `scope.name`. */
function settingsOf(arm: ResolvedArm, defaults: Defaults): ResolvedSettings {
  const settings: ResolvedSettings = poolSettings(arm);
  for (const name of SETTING_NAMES) {
    const asked = arm.asked.get(name);
    if (asked || defaults[name]) settings[name] = resolvedSetting(asked, defaults[name]);
  }
  for (const asked of arm.asked.list()) {
    if (asked.scope !== 'target') settings[`${asked.scope}.${asked.name}`] = resolvedSetting(asked, undefined);
  }
  return settings;
}

const words = (arg: Arg): string[] => (arg.value === null ? [arg.flag] : [arg.flag, arg.value]);

/** One process of the plan, or `replicas` equal ones, on the hardware of its arm. */
export function componentOf(
  arm: ResolvedArm,
  lowered: LoweredSettings,
  { role, replicas }: Pick<Component, 'role' | 'replicas'>,
): Component {
  const { engine, runtime, version, endpoint } = arm.engine;
  const hardware = { id: arm.hardware.id, kind: arm.hardware.kind, count: arm.hardware.count };
  const file = configFileOf(engine, lowered.config);
  return {
    name: role,
    role,
    engine: engine.id,
    runtime,
    engineVersion: version,
    image: engine.image({ hardware, version }),
    hardware,
    replicas,
    argv: endpoint ? [] : [...engine.command(runtime), ...lowered.args.flatMap(words)],
    args: lowered.args,
    env: lowered.env,
    files: file === null ? [] : [file],
    config: lowered.config,
    endpoint,
  };
}

/** What of the policies runs: without node ids, and without what no node speaks of. */
function coveredPolicies(policies: Policies): Record<string, unknown> | undefined {
  const given = Object.entries(policies).flatMap(([name, policy]) => {
    if (policy === null) return [];
    const { nodeIds: _, ...fields } = policy;
    return [[name, fields] as const];
  });
  return given.length === 0 ? undefined : Object.fromEntries(given);
}

const withoutNode = ({ nodeId: _, ...checkpoint }: Checkpoint) => checkpoint;

/**
 * What a plan is: everything that changes what runs, nothing that only names it. Covers engine, version, image,
 * hardware, argv, environment, files, checkpoints, request defaults and the policies around the engine.
 */
export function planHashOf(
  components: readonly Component[],
  checkpoints: readonly Checkpoint[],
  request: Plan['request'],
  policies: Policies,
): string {
  const covered = components.map(({ name: _name, args: _args, config: _config, ...component }) => component);
  const around = coveredPolicies(policies);
  return hashOf({ components: covered, checkpoints: checkpoints.map(withoutNode), request, policies: around });
}

/** What an engine start is: equal hashes can share one. Request defaults and replicas are not part of it. */
export function launchHashOf(components: readonly Component[], checkpoints: readonly Checkpoint[]): string {
  const covered = components.map(({ engine, runtime, engineVersion, argv, env, files, hardware, endpoint }) => {
    return { engine, runtime, engineVersion, argv, env, files, hardware, endpoint };
  });
  return hashOf({ components: covered, checkpoints: checkpoints.map(withoutNode) });
}

export interface PlanInput {
  arm: Arm;
  resolved: ResolvedArm;
  components: Component[];
  request: Plan['request'];
  defaults: Defaults;
  isBaseline: boolean;
  /** The baseline that nobody drew: it belongs to no deployment node. */
  synthesized: boolean;
}

/** USD an hour of all devices of all replicas; a router runs beside them. */
function priceOf({ hardware }: ResolvedArm, components: readonly Component[]): number | null {
  if (hardware.pricePerHourUsd === null) return null;
  const devices = components.filter((c) => c.role !== 'router').reduce((n, c) => n + c.replicas * c.hardware.count, 0);
  return devices === hardware.count ? hardware.pricePerHourUsd : (hardware.pricePerHourUsd / hardware.count) * devices;
}

/** The frozen plan of one arm. */
export function buildPlan(input: PlanInput): Plan {
  const { arm, resolved, components, request, defaults, isBaseline, synthesized } = input;
  const { checkpoints, policies } = resolved;
  const nodeIds = [...new Set(arm.participants.map((p) => p.node.id))];
  return {
    deployment: arm.id,
    deploymentNodeId: synthesized ? null : arm.deployment.id,
    isBaseline,
    label: synthesized ? 'Baseline: engine defaults' : labelOf(arm, isBaseline),
    planHash: planHashOf(components, checkpoints, request, policies),
    launchHash: launchHashOf(components, checkpoints),
    components,
    argv: components[0]?.argv ?? [],
    checkpoints,
    policies,
    request,
    settings: settingsOf(resolved, defaults),
    pricePerHourUsd: priceOf(resolved, components),
    loss: lossOf(arm, resolved),
    nodeIds: synthesized ? nodeIds.filter((id) => id !== arm.deployment.id) : nodeIds,
  };
}

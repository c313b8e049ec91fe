import type { LossClass } from '../catalog/node-type';
import type { Arm } from '../pipeline/expand';
import { hashOf } from '../plan/canonical';
import type { Arg, Checkpoint, Component, Plan } from '../plan/plan';
import { NO_POLICIES } from '../plan/policies';
import type { AskedSetting, SettingName } from '../plan/settings';
import { SETTING_NAMES } from '../plan/settings';
import type { Defaults, LoweredSettings } from './lower-settings';
import type { ResolvedArm } from './resolve-arm';

const LOSS_ORDER: readonly LossClass[] = ['none', 'under-1-percent', '1-to-3-percent', 'over-3-percent', 'lossy'];

/** Worst loss class of the techniques. */
function lossOf(arm: Arm): LossClass {
  const losses = arm.participants.flatMap(({ type, params }) =>
    type.technique ? [type.loss?.(params as never) ?? type.technique.loss] : [],
  );
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

/** Every setting that was asked for or has a known default. Scopes other than the target are `scope.name`. */
function settingsOf(arm: ResolvedArm, defaults: Defaults): ResolvedSettings {
  const settings: ResolvedSettings = {};
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

function componentOf(arm: ResolvedArm, lowered: LoweredSettings): Component {
  const { engine, runtime, version, endpoint } = arm.engine;
  const hardware = { id: arm.hardware.id, kind: arm.hardware.kind, count: arm.hardware.count };
  return {
    name: 'engine',
    role: 'engine',
    engine: engine.id,
    runtime,
    engineVersion: version,
    image: engine.image({ hardware, version }),
    hardware,
    replicas: 1,
    argv: endpoint ? [] : [...engine.command(runtime), ...lowered.args.flatMap(words)],
    args: lowered.args,
    env: lowered.env,
    files: [],
    config: [],
    endpoint,
  };
}

const withoutNode = ({ nodeId: _, ...checkpoint }: Checkpoint) => checkpoint;

/**
 * What a plan is: everything that changes what runs, nothing that only names it. Covers engine, version, image,
 * hardware, argv, environment, files, checkpoints and request defaults.
 */
export function planHashOf(
  components: readonly Component[],
  checkpoints: readonly Checkpoint[],
  request: Plan['request'],
): string {
  const covered = components.map(({ name: _name, args: _args, config: _config, ...component }) => component);
  return hashOf({ components: covered, checkpoints: checkpoints.map(withoutNode), request });
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
  lowered: LoweredSettings;
  defaults: Defaults;
  isBaseline: boolean;
  /** The baseline that nobody drew: it belongs to no deployment node. */
  synthesized: boolean;
}

/** The frozen plan of one arm. */
export function buildPlan({ arm, resolved, lowered, defaults, isBaseline, synthesized }: PlanInput): Plan {
  const components = [componentOf(resolved, lowered)];
  const { checkpoints } = resolved;
  const nodeIds = [...new Set(arm.participants.map((p) => p.node.id))];
  return {
    deployment: arm.id,
    deploymentNodeId: synthesized ? null : arm.deployment.id,
    isBaseline,
    label: synthesized ? 'Baseline: engine defaults' : labelOf(arm, isBaseline),
    planHash: planHashOf(components, checkpoints, lowered.request),
    launchHash: launchHashOf(components, checkpoints),
    components,
    argv: components[0]?.argv ?? [],
    checkpoints,
    policies: NO_POLICIES,
    request: lowered.request,
    settings: settingsOf(resolved, defaults),
    pricePerHourUsd: resolved.hardware.pricePerHourUsd,
    loss: lossOf(arm),
    nodeIds: synthesized ? nodeIds.filter((id) => id !== arm.deployment.id) : nodeIds,
  };
}

import type { Engine, Lowered, LoweringContext } from '../engines/engine';
import { partsOf } from '../engines/lower';
import { findModel } from '../facts/models';
import { type Finding, finding } from '../plan/finding';
import type { Arg, Component, ConfigEntry, Plan } from '../plan/plan';
import { SCOPES, type Scope, SETTING_NAMES, type SettingName, type SettingValues } from '../plan/settings';
import { launchedComponent } from './exporter';

export interface EnvEntry {
  name: string;
  value: string;
  setting: string;
  nodeId: string | null;
}

/** A plan as one runtime of its engine launches it. */
export interface Launch {
  runtime: string | null;
  version: string;
  command: readonly string[];
  args: Arg[];
  env: EnvEntry[];
  /** Entries of the engine's configuration file, in the order of the settings. */
  config: ConfigEntry[];
  request: Record<string, unknown>;
  /** Settings that stand inside another one's argument, by the name of that one. */
  carried: { by: SettingName; setting: string; nodeId: string | null }[];
  /** Settings that the engine meets without being told: they equal its default and it has no argument for them. */
  implicit: string[];
  /** Settings whose value the arguments do not tell, or not in full, by name: a reader of the file needs the head. */
  told: Record<string, unknown>;
  findings: Finding[];
}

type LoweredPart = ReturnType<typeof partsOf>[number];

interface Asked {
  scope: Scope;
  name: SettingName;
  value: SettingValues[SettingName];
  nodeId: string | null;
  field: string | null;
}

/** Settings that somebody asked for, target first, in the order of the table. */
function askedSettings(plan: Plan): Asked[] {
  return SCOPES.flatMap((scope) =>
    SETTING_NAMES.flatMap((name): Asked[] => {
      const resolved = plan.settings[scope === 'target' ? name : `${scope}.${name}`];
      if (resolved === undefined || resolved.asked === null || resolved.asked === undefined) return [];
      const nodeId = plan.nodeIds.includes(resolved.origin) ? resolved.origin : null;
      return [{ scope, name, value: resolved.asked as Asked['value'], nodeId, field: resolved.field }];
    }),
  );
}

const fullName = ({ scope, name }: Pick<Asked, 'scope' | 'name'>): string =>
  scope === 'target' ? name : `${scope}.${name}`;

function defaultsOf(plan: Plan, engine: Engine, runtime: string | null): ReturnType<Engine['defaults']> {
  const target = plan.checkpoints.find((checkpoint) => checkpoint.scope === 'target');
  const facts = target === undefined ? null : findModel(target.model);
  return engine.defaults({ runtime, modelMaxTokens: facts?.maxTokens ?? null });
}

function contextFor(plan: Plan, engine: Engine, runtime: string | null, version: string): LoweringContext | null {
  const component = launchedComponent(plan);
  if (component === null) return null;
  const defaults = defaultsOf(plan, engine, runtime);
  const asked = new Map(askedSettings(plan).map((entry) => [fullName(entry), entry.value]));
  return {
    runtime,
    version,
    value: <K extends SettingName>(name: K, scope: Scope = 'target') => {
      const known = scope === 'target' ? defaults[name]?.value : undefined;
      return (asked.get(fullName({ scope, name })) ?? known ?? null) as SettingValues[K] | null;
    },
    checkpoint: (scope) => plan.checkpoints.find((checkpoint) => checkpoint.scope === scope) ?? null,
    hardware: component.hardware,
  };
}

function lowerOne(engine: Engine, { name, value, scope }: Asked, context: LoweringContext): Lowered {
  const lowering = engine.lowering[name];
  if (typeof lowering !== 'function') {
    return { kind: 'unsupported', reason: lowering.unsupported, source: lowering.source };
  }
  return (lowering as (v: unknown, c: LoweringContext, s: Scope) => Lowered)(value, context, scope);
}

function refused(asked: Asked, reason: string, source: string): Finding {
  const message = `${fullName(asked)} ${JSON.stringify(asked.value)} is not in the file: ${reason}.`;
  return finding('warning', 'not-in-manifest', message, { nodeId: asked.nodeId, field: asked.field, source });
}

/** Adds one part of what a setting becomes. */
function addPart(launch: Launch, asked: Asked, part: LoweredPart, isDefault: boolean): void {
  const { nodeId, field, name, scope } = asked;
  switch (part.kind) {
    case 'args':
      if (part.args.length === 0) launch.implicit.push(`${fullName(asked)} ${JSON.stringify(asked.value)}`);
      launch.args.push(
        ...part.args.map(({ flag, value, note }) => {
          return { flag, value, setting: name, scope, nodeId, isDefault, note: note ?? null };
        }),
      );
      break;
    case 'env':
      for (const [key, value] of Object.entries(part.env)) {
        launch.env.push({ name: key, value, setting: fullName(asked), nodeId });
      }
      break;
    case 'config':
      launch.config.push(
        ...Object.entries(part.entries).map(([path, value]) => {
          return { path, value, setting: name, scope, nodeId, note: part.note ?? null };
        }),
      );
      break;
    case 'request':
      Object.assign(launch.request, part.fields);
      break;
    case 'carried':
      launch.carried.push({ by: part.by, setting: fullName(asked), nodeId });
      break;
    case 'caution':
      launch.findings.push(finding('warning', 'caution', part.message, { nodeId, field, source: part.source }));
      break;
    case 'unsupported':
      launch.findings.push(refused(asked, part.reason, part.source));
  }
}

/** Values that a lowering writes out; entries of a configuration file as JSON. */
const textsIn = (parts: readonly LoweredPart[]): string[] =>
  parts.flatMap((part) => {
    if (part.kind === 'args') return part.args.map(({ flag, value }) => value ?? flag);
    if (part.kind === 'env') return Object.values(part.env);
    return part.kind === 'config' ? Object.values(part.entries).map((value) => JSON.stringify(value)) : [];
  });

const GIB = 1024 ** 3;

/** Whether what is written tells the value: sizes are rounded to other units, names of adapters may have no place. */
function isTold({ name, value }: Asked, parts: readonly LoweredPart[]): boolean {
  if (name === 'weightsFormat' || parts.some(({ kind }) => kind === 'unsupported')) return true;
  const isSilent = (part: LoweredPart): boolean =>
    part.kind === 'caution' || (part.kind === 'carried' && part.by === 'weightsFormat');
  if (parts.every(isSilent)) return false;
  const texts = textsIn(parts);
  if (texts.length === 0) return true;
  if (name === 'loraAdapters' && Array.isArray(value)) {
    return value.every(({ name: adapter }) => texts.some((text) => text.includes(`${adapter}=`)));
  }
  // The engine is told a file in it.
  if (name === 'torchProfilerFolder') return texts.includes(String(value));
  if (!name.endsWith('Bytes') || typeof value !== 'number') return true;
  return texts.some((text) => text.includes(String(value)) || Number(text) === value / GIB);
}

/** A setting inside an argument that did not come about is lost with it, and said so. */
function lostWithCarrier(launch: Launch, asked: readonly Asked[]): Finding[] {
  const made = [...launch.args, ...launch.config];
  const lost = launch.carried.filter(({ by }) => !made.some(({ setting }) => setting === by));
  return asked
    .filter((entry) => lost.some(({ setting }) => setting === fullName(entry)))
    .map((entry) => refused(entry, 'it belongs to a setting that is not there either', 'engines'));
}

/** Arguments that no setting made: fixed or typed by hand. Another runtime may not know them. */
function addOtherArgs(launch: Launch, component: Component, own: boolean): void {
  for (const arg of component.args.filter((entry) => entry.setting === null)) {
    if (own) launch.args.push(arg);
    else {
      const message = `${arg.flag} was given for ${component.runtime ?? component.engine} and is not in the file.`;
      launch.findings.push(finding('warning', 'not-in-manifest', message, { nodeId: arg.nodeId }));
    }
  }
}

/** Where nobody set something and the two runtimes differ by default, the file runs differently from the plan. */
function differingDefaults(plan: Plan, engine: Engine, from: string | null, to: string | null): Finding[] {
  if (from === to) return [];
  const before = defaultsOf(plan, engine, from);
  const after = defaultsOf(plan, engine, to);
  return SETTING_NAMES.filter((name) => (plan.settings[name]?.asked ?? null) === null)
    .filter((name) => JSON.stringify(before[name]?.value) !== JSON.stringify(after[name]?.value))
    .filter((name) => !name.startsWith('promptLookup') || plan.settings.speculation?.asked === 'prompt-lookup')
    .map((name) => {
      const show = (side: typeof before): string => JSON.stringify(side[name]?.value ?? 'not set');
      const message = `${name} is not set: ${from} takes ${show(before)}, ${to} takes ${show(after)}.`;
      return finding('info', 'default-differs', message, {
        source: after[name]?.source ?? before[name]?.source ?? null,
      });
    });
}

/**
 * Lowers a plan's settings again, for the same or another runtime of its engine. Nothing is dropped: a setting that
 * the runtime cannot take gives the warning `not-in-manifest` with the reason.
 */
export function launchAs(plan: Plan, engine: Engine, runtime: string | null): Launch {
  const component = launchedComponent(plan);
  const own = component !== null && component.runtime === runtime;
  const known = engine.runtimes.find((entry) => entry.id === runtime)?.versions[0];
  const version = (own ? component.engineVersion : known) ?? engine.versions.pinned;
  const launch: Launch = {
    runtime,
    version,
    command: engine.command(runtime),
    args: [],
    env: [],
    config: [],
    request: {},
    carried: [],
    implicit: [],
    told: {},
    findings: [],
  };
  const context = contextFor(plan, engine, runtime, version);
  if (component === null || context === null) return launch;
  const defaults = defaultsOf(plan, engine, runtime);
  const settings = askedSettings(plan);
  for (const asked of settings) {
    const known = asked.scope === 'target' ? defaults[asked.name]?.value : undefined;
    const isDefault = JSON.stringify(known) === JSON.stringify(asked.value);
    const parts = partsOf(lowerOne(engine, asked, context));
    for (const part of parts) addPart(launch, asked, part, isDefault);
    if (!isTold(asked, parts)) launch.told[fullName(asked)] = asked.value;
  }
  addOtherArgs(launch, component, own);
  launch.findings.push(
    ...lostWithCarrier(launch, settings),
    ...differingDefaults(plan, engine, component.runtime, runtime),
  );
  return launch;
}

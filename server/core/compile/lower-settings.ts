import type { EngineDefault, Lowered, LoweringContext } from '../engines/engine';
import { partsOf } from '../engines/lower';
import { isSameValue } from '../plan/canonical';
import { type Finding, finding } from '../plan/finding';
import type { Arg, ConfigEntry } from '../plan/plan';
import type { AskedSetting, Scope, SettingName, SettingValues } from '../plan/settings';
import { WORKLOAD_ORIGIN } from './asked-settings';
import { configClashes } from './config-file';
import { rawArguments } from './raw-arguments';
import { rawConfigEntries } from './raw-config';
import type { ResolvedArm } from './resolve-arm';

export type Defaults = Partial<Record<SettingName, EngineDefault>>;

/** What an arm's settings become on its engine. */
export interface LoweredSettings {
  args: Arg[];
  env: Record<string, string>;
  /** Entries of the engine's configuration file. */
  config: ConfigEntry[];
  request: Record<string, unknown>;
  findings: Finding[];
}

export const engineDefaults = ({ engine, models }: ResolvedArm): Defaults =>
  engine.engine.defaults({ runtime: engine.runtime, modelMaxTokens: models.target?.facts?.maxTokens ?? null });

/** Asked, else the engine's default for the target; null where neither is known. */
export const valueReader =
  (arm: ResolvedArm, defaults: Defaults) =>
  <K extends SettingName>(name: K, scope: Scope = 'target'): SettingValues[K] | null => {
    const asked = arm.asked.get(name, scope);
    if (asked) return asked.value;
    return scope === 'target' ? ((defaults[name]?.value ?? null) as SettingValues[K] | null) : null;
  };

export function contextOf(arm: ResolvedArm, defaults: Defaults): LoweringContext {
  const { runtime, version } = arm.engine;
  return {
    runtime,
    version,
    value: valueReader(arm, defaults),
    checkpoint: (scope) => arm.checkpoints.find((c) => c.scope === scope) ?? null,
    hardware: arm.hardware,
  };
}

function lower<K extends SettingName>(asked: AskedSetting<K>, arm: ResolvedArm, context: LoweringContext): Lowered {
  const lowering = arm.engine.engine.lowering[asked.name];
  if (typeof lowering === 'function') return lowering(asked.value, context, asked.scope);
  return { kind: 'unsupported', reason: lowering.unsupported, source: lowering.source };
}

const originNode = (asked: AskedSetting): string | null => (asked.nodeId === WORKLOAD_ORIGIN ? null : asked.nodeId);

export const isDefault = (asked: AskedSetting, defaults: Defaults): boolean => {
  const known = asked.scope === 'target' ? defaults[asked.name] : undefined;
  return known !== undefined && isSameValue(known.value, asked.value);
};

/** Which runtime refuses, in words: "llama.cpp (embedded)". */
const engineName = ({ engine, runtime }: ResolvedArm['engine']): string =>
  runtime === null ? engine.title : `${engine.title} (${runtime})`;

/** Another engine, its first runtime, the version that its facts were read from. */
const moveTo = (engine: string, nodeId: string): Finding['fix'] => ({
  label: `Run it on ${engine}`,
  edits: Object.entries({ engine, runtime: null, version: null }).map(([field, value]) => {
    return { op: 'set-param' as const, nodeId, field, value };
  }),
});

type Refusal = Extract<Lowered, { kind: 'unsupported' }>;
type Caution = Extract<Lowered, { kind: 'caution' }>;

function warn(asked: AskedSetting, arm: ResolvedArm, { message, source }: Caution): Finding {
  const text = `${engineName(arm.engine)}: ${asked.name} ${JSON.stringify(asked.value)}: ${message}.`;
  return finding('warning', 'setting-caution', text, { nodeId: originNode(asked), field: asked.field, source });
}

/** The quick fix that a lowering offers with its refusal. */
function wayOut(asked: AskedSetting, arm: ResolvedArm, { instead, use }: Refusal): Finding['fix'] {
  const nodeId = originNode(asked);
  if (use !== undefined && nodeId !== null) {
    return { label: use.label, edits: [{ op: 'set-param', nodeId, field: asked.field, value: use.value }] };
  }
  return instead === undefined ? null : moveTo(instead, arm.engine.nodeId);
}

function refuse(asked: AskedSetting, arm: ResolvedArm, refusal: Refusal): Finding {
  const { reason, source } = refusal;
  const message = `${engineName(arm.engine)}: ${asked.name} ${JSON.stringify(asked.value)}: ${reason}.`;
  const fix = wayOut(asked, arm, refusal);
  return finding('error', 'setting-unsupported', message, {
    nodeId: originNode(asked),
    field: asked.field,
    source,
    fix,
  });
}

/** A setting inside the argument of another one that nobody set would be lost. */
function checkCarrier(asked: AskedSetting, arm: ResolvedArm, by: SettingName): Finding[] {
  if (arm.asked.get(by, asked.scope) || arm.asked.get(by)) return [];
  const reason = `it belongs to ${by}, which nobody set`;
  return [refuse(asked, arm, { kind: 'unsupported', reason, source: arm.engine.engine.versions.source })];
}

/** Two settings that end in one flag with different values. */
function clashes(args: readonly Arg[]): Finding[] {
  const byFlag = new Map<string, Arg>();
  return args.flatMap((arg): Finding[] => {
    const earlier = byFlag.get(arg.flag);
    if (!earlier) {
      byFlag.set(arg.flag, arg);
      return [];
    }
    if (earlier.value === arg.value) return [];
    const message = `${earlier.setting} and ${arg.setting} both set ${arg.flag}: ${earlier.value} and ${arg.value}.`;
    return [finding('error', 'flag-clash', message, { nodeId: arg.nodeId ?? earlier.nodeId })];
  });
}

type Part = ReturnType<typeof partsOf>[number];
/** Where a part comes from, as arguments and entries of the configuration file carry it. */
type Origin = Pick<Arg, 'setting' | 'scope' | 'nodeId'> & { isDefault: boolean };

/** Two settings that put different values into one variable or request field are an error, as two flags are. */
function assign(result: LoweredSettings, to: 'env' | 'request', more: Record<string, unknown>, origin: Origin): void {
  for (const [name, value] of Object.entries(more)) {
    const earlier = result[to][name];
    if (earlier !== undefined && !isSameValue(earlier, value)) {
      const what = to === 'env' ? 'environment variable' : 'request field';
      const message = `${origin.setting} and another setting both set the ${what} ${name}: ${value} and ${earlier}.`;
      result.findings.push(finding('error', `${to}-clash`, message, { nodeId: origin.nodeId }));
    }
  }
  Object.assign(result[to], more);
}

/** Adds one part of a lowering to what the engine gets; refusals and cautions are the caller's. */
export function addPart(result: LoweredSettings, part: Part, origin: Origin): void {
  const { isDefault, ...entry } = origin;
  if (part.kind === 'env') assign(result, 'env', part.env, origin);
  else if (part.kind === 'request') assign(result, 'request', part.fields, origin);
  else if (part.kind === 'config') {
    const note = part.note ?? null;
    result.config.push(...Object.entries(part.entries).map(([path, value]) => ({ path, value, ...entry, note })));
  } else if (part.kind === 'args') {
    const args = part.args.map(({ flag, value, note }) => ({ flag, value, ...entry, isDefault, note: note ?? null }));
    result.args.push(...args);
  }
}

/** The argument that names the configuration file; null without entries. An engine without such a file has no entries. */
function configArgument(arm: ResolvedArm, config: readonly ConfigEntry[]): Arg | null {
  const { configFile } = arm.engine.engine;
  if (configFile === undefined || configFile.flag === null || config.length === 0) return null;
  const note = `configuration file, ${config.length} ${config.length === 1 ? 'entry' : 'entries'}`;
  const { flag, path } = configFile;
  return { flag, value: path, setting: null, scope: 'target', nodeId: null, isDefault: false, note };
}

/**
 * Lowers every setting that was asked for by the engine's table. What it cannot do is an error at the node that asked.
 * `extend` adds what no setting asks for (the role in a pool) before arguments are compared.
 */
export function lowerSettings(
  arm: ResolvedArm,
  defaults: Defaults,
  extend: (result: LoweredSettings, context: LoweringContext) => void = () => undefined,
): LoweredSettings {
  const result: LoweredSettings = { args: [], env: {}, config: [], request: {}, findings: [] };
  const context = contextOf(arm, defaults);
  for (const asked of arm.asked.list()) {
    const { name: setting, scope } = asked;
    const origin = { setting, scope, nodeId: originNode(asked), isDefault: isDefault(asked, defaults) };
    for (const part of partsOf(lower(asked, arm, context))) {
      if (part.kind === 'unsupported') result.findings.push(refuse(asked, arm, part));
      else if (part.kind === 'caution') result.findings.push(warn(asked, arm, part));
      else if (part.kind === 'carried') result.findings.push(...checkCarrier(asked, arm, part.by));
      else addPart(result, part, origin);
    }
  }
  extend(result, context);
  const rawConfig = rawConfigEntries(arm.engine, result.config);
  result.config.push(...rawConfig.entries);
  result.findings.push(...rawConfig.findings);
  const configArg = configArgument(arm, result.config);
  if (configArg) result.args.push(configArg);
  result.findings.push(...clashes(result.args), ...configClashes(result.config));
  const raw = rawArguments(arm.engine, result.args);
  result.args.push(...raw.args);
  result.findings.push(...raw.findings);
  return result;
}

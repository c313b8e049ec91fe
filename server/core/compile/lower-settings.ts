import type { EngineDefault, Lowered, LoweringContext } from '../engines/engine';
import { partsOf } from '../engines/lower';
import { canonicalText } from '../plan/canonical';
import { type Finding, finding } from '../plan/finding';
import type { Arg } from '../plan/plan';
import type { AskedSetting, Scope, SettingName, SettingValues } from '../plan/settings';
import { WORKLOAD_ORIGIN } from './asked-settings';
import { rawArguments } from './raw-arguments';
import type { ResolvedArm } from './resolve-arm';

export type Defaults = Partial<Record<SettingName, EngineDefault>>;

/** What an arm's settings become on its engine. */
export interface LoweredSettings {
  args: Arg[];
  env: Record<string, string>;
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

function contextOf(arm: ResolvedArm, defaults: Defaults): LoweringContext {
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
  return known !== undefined && canonicalText(known.value) === canonicalText(asked.value);
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

function refuse(asked: AskedSetting, arm: ResolvedArm, { reason, source, instead }: Refusal): Finding {
  const message = `${engineName(arm.engine)}: ${asked.name} ${JSON.stringify(asked.value)}: ${reason}.`;
  const fix = instead === undefined ? null : moveTo(instead, arm.engine.nodeId);
  return finding('error', 'setting-unsupported', message, {
    nodeId: originNode(asked),
    field: asked.field,
    source,
    fix,
  });
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

/** Lowers every setting that was asked for by the engine's table. What it cannot do is an error at the node that asked. */
export function lowerSettings(arm: ResolvedArm, defaults: Defaults): LoweredSettings {
  const result: LoweredSettings = { args: [], env: {}, request: {}, findings: [] };
  const context = contextOf(arm, defaults);
  const all = arm.asked.list().flatMap((asked) => {
    return partsOf(lower(asked, arm, context)).map((lowered) => ({ asked, lowered }));
  });
  for (const { asked, lowered } of all) {
    if (lowered.kind === 'env') Object.assign(result.env, lowered.env);
    else if (lowered.kind === 'request') Object.assign(result.request, lowered.fields);
    else if (lowered.kind === 'unsupported') result.findings.push(refuse(asked, arm, lowered));
    else if (lowered.kind === 'caution') result.findings.push(warn(asked, arm, lowered));
    else if (lowered.kind === 'args') {
      const shared = {
        setting: asked.name,
        scope: asked.scope,
        nodeId: originNode(asked),
        isDefault: isDefault(asked, defaults),
      };
      result.args.push(
        ...lowered.args.map(({ flag, value, note }) => ({ flag, value, ...shared, note: note ?? null })),
      );
    }
  }
  result.findings.push(...clashes(result.args));
  const raw = rawArguments(arm.engine, result.args);
  result.args.push(...raw.args);
  result.findings.push(...raw.findings);
  return result;
}

import { describe, expect, it } from 'vitest';
import type { Engine, Lowered, LoweringContext } from '@/server/core/engines/engine';
import { findSpelling, flagTableOf } from '@/server/core/engines/find-flag-spelling';
import type { FlagFact, FlagTable } from '@/server/core/engines/flag';
import { ENGINES } from '@/server/core/engines/index';
import { partsOf } from '@/server/core/engines/lower';
import { compareVersions } from '@/server/core/engines/version';
import {
  SETTING_NAMES,
  type SettingName,
  SPECULATION_METHODS,
  settingSchemas,
  WEIGHT_SCHEMES,
} from '@/server/core/plan/settings';
import { checkpoint, loweringContext } from '@/test/fixtures/lowering-context';

const ADAPTERS = [
  { name: 'sql', source: 'acme/sql' },
  { name: 'chat', source: 'acme/chat' },
];

/** Values of one setting: every option, numbers small and large, formats of every container. */
const SAMPLES: Partial<Record<SettingName, unknown[]>> = {
  weightsFormat: ['gguf:Q4_K_M', 'safetensors:bfloat16', ...WEIGHT_SCHEMES.map((scheme) => `safetensors:${scheme}`)],
  apiKeySecret: ['INFERLOOM_SECRET_API_KEY'],
  torchProfilerFolder: ['/traces'],
  loraAdapters: [ADAPTERS],
  priorityHighFirst: [true, false],
  memoryFraction: [0.5, 0.9],
  temperature: [0.7],
  topP: [0.5],
  minP: [0.5],
};
function samplesOf(name: SettingName): unknown[] {
  const schema = settingSchemas[name];
  return SAMPLES[name] ?? ('options' in schema ? [...schema.options] : [1, 2, 4, 64, 8192, 40_000_000_000]);
}

const DEVICES: readonly LoweringContext['hardware'][] = [
  { kind: 'cpu', id: 'cpu-local', count: 1 },
  ...['T4', 'A100-SXM-80GB', 'RTX-4090', 'H100-SXM', 'B200', 'MI300X'].map((id) => {
    return { kind: 'gpu' as const, id, count: 8 };
  }),
];

/** Settings beside the one that is lowered: what many lowerings ask for. */
const BESIDE = {
  draftTokens: 3,
  maxSequences: 8,
  kvTier: 'host-memory',
  schedulingPolicy: 'priority',
  loraAdapters: ADAPTERS,
  tensorParallel: 2,
} as const;

interface Emitted {
  setting: SettingName;
  words: { flag: string; value: string | null }[];
}

interface Asked {
  name: SettingName;
  value: unknown;
  context: LoweringContext;
}

/** Every setting with every value, over devices, methods of speculation and sources of weights. */
function* asked(engine: Engine, runtime: string | null): Generator<Asked> {
  const version = engine.versions.pinned;
  const situations = DEVICES.flatMap((hardware) =>
    SPECULATION_METHODS.flatMap((speculation) =>
      (['checkpoint', 'online'] as const).map((source) => ({ hardware, speculation, source })),
    ),
  );
  for (const { hardware, speculation, source } of situations) {
    for (const name of SETTING_NAMES) {
      for (const value of samplesOf(name)) {
        const format = name === 'weightsFormat' ? String(value) : 'safetensors:bfloat16';
        const model = { model: 'DeepSeek-V3', repo: 'acme/model', fileName: 'acme/model', format, source };
        const checkpoints = [checkpoint(model), checkpoint({ ...model, scope: 'draft', repo: 'acme/draft' })];
        const values = { speculation, ...BESIDE, [name]: value };
        yield { name, value, context: loweringContext({ runtime, version, values, hardware, checkpoints }) };
      }
    }
  }
}

/** Every argument list that the engine makes of them, for the target and the draft. */
function* emitted(engine: Engine, runtime: string | null): Generator<Emitted> {
  for (const { name, value, context } of asked(engine, runtime)) {
    const lowering = engine.lowering[name] as (v: unknown, c: LoweringContext, s: string) => Lowered;
    if (typeof lowering !== 'function') continue;
    for (const part of ['target', 'draft'].flatMap((scope) => partsOf(lowering(value, context, scope)))) {
      if (part.kind === 'args') yield { setting: name, words: part.args };
    }
  }
}

/** Why the fact does not take this argument; null where it does. */
function fault(fact: FlagFact, value: string | null, version: string): string | null {
  const { name, since, until, type, values } = fact;
  if (since !== null && (compareVersions(version, since) ?? 0) < 0) return `${name} exists since ${since}`;
  if (until !== null && (compareVersions(version, until) ?? 0) > 0) return `${name} is gone after ${until}`;
  if (type === 'boolean') return value === null ? null : `${name} is a switch and takes no ${value}`;
  if (value === null) return `${name} needs a value`;
  if (type === 'integer' && !/^-?\d+$/.test(value)) return `${name} takes whole numbers, not ${value}`;
  if (type === 'number' && !Number.isFinite(Number(value))) return `${name} takes numbers, not ${value}`;
  return type === 'enum' && values !== null && !values.includes(value) ? `${name} does not take ${value}` : null;
}

const cases = ENGINES.flatMap((engine) => {
  const runtimes = engine.runtimes.length > 0 ? engine.runtimes.map((r) => r.id) : [null];
  return engine.flags === null ? [] : runtimes.map((runtime) => [engine.id, runtime, engine] as const);
});

/** What the table has against one argument; null: nothing. */
function judge(table: FlagTable, flag: string, value: string | null, version: string): string | null {
  const { fact, how } = findSpelling(table, flag);
  if (fact === null) return `${flag} is not in the table`;
  return how === 'negated' && value === null ? null : fault(fact, value, version);
}

/** Faults by argument, each argument judged once. */
function judgeAll(engine: Engine, runtime: string | null): { judged: number; faults: string[] } {
  const table = flagTableOf(engine, runtime);
  const seen = new Set<string>();
  const faults: string[] = [];
  for (const { setting, words } of emitted(engine, runtime)) {
    for (const { flag, value } of words.filter((word) => word.flag.startsWith('-'))) {
      const key = `${flag}=${value}`;
      if (seen.has(key)) continue;
      seen.add(key);
      const found = table === null ? 'no table' : judge(table, flag, value, engine.versions.pinned);
      if (found !== null) faults.push(`${setting}: ${found}`);
    }
  }
  return { judged: seen.size, faults };
}

describe.each(cases)('%s (%s)', (_, runtime, engine) => {
  it('emits only flags and values that its table has at the pinned version', () => {
    const { judged, faults } = judgeAll(engine, runtime);
    expect(faults).toEqual([]);
    expect(judged).toBeGreaterThan(5);
  });
});

import { describe, expect, it } from 'vitest';
import type { Engine } from '@/server/core/engines/engine';
import { findSpelling, flagTableOf } from '@/server/core/engines/find-flag-spelling';
import type { FlagFact, FlagTable } from '@/server/core/engines/flag';
import { ENGINES } from '@/server/core/engines/index';
import { compareVersions } from '@/server/core/engines/version';
import { emittedArguments } from '@/test/fixtures/emitted-arguments';

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
  for (const { setting, words } of emittedArguments(engine, runtime)) {
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

import { describe, expect, it } from 'vitest';
import type { Arg, ConfigEntry } from '@/server/core/plan/plan';
import { RULES } from '@/server/core/rules/index';
import { type EngineError, READ_AT } from '@/test/fixtures/constraints/engine-errors/error-case';
import { ENGINE_ERRORS } from '@/test/fixtures/constraints/engine-errors/index';
import { ruleContext } from '@/test/fixtures/rule-context';

const nodeOf = (setting: string | undefined): string => (setting === undefined ? 'engine' : `n-${setting}`);

/** The arm of a case: arguments with a setting come from its node, the others from the engine's raw text. */
function findingsOf({ situation, args = [], config = [], env = {} }: EngineError) {
  const context = ruleContext(situation);
  const launch = args.map(([flag, value, setting]): Arg => {
    const shared = { scope: 'target', isDefault: false, note: null } as const;
    return { flag, value, setting: setting ?? null, nodeId: nodeOf(setting), ...shared };
  });
  const entries = config.map(([path, value, setting]): ConfigEntry => {
    return { path, value, setting: setting ?? null, nodeId: nodeOf(setting), scope: 'target', note: null };
  });
  const component = { ...context.component, args: launch, config: entries, env: { ...env } };
  return RULES.flatMap((rule) => rule.check({ ...context, component }));
}

describe('errors that engines print, found before the launch', () => {
  it('are more than sixty in the words of the engines, each with the place that holds them', () => {
    const engines = new Set(ENGINE_ERRORS.map(({ situation }) => situation.engine ?? 'llama.cpp'));
    expect([...engines].sort()).toEqual(Object.keys(READ_AT).sort());
    const quoted = ENGINE_ERRORS.filter(({ wording }) => wording === 'quoted');
    expect(quoted.length).toBeGreaterThanOrEqual(60);
    const place = /^[\w./-]+\.(py|cpp|hpp|rs|md)(:\d+| [A-Z]\w+\.\w+)/;
    expect(quoted.filter(({ source }) => !place.test(source)).map(({ source }) => source)).toEqual([]);
    for (const { source, message } of ENGINE_ERRORS)
      expect([source.length > 8, message.length > 8]).toEqual([true, true]);
  });

  it.each(ENGINE_ERRORS)('$situation.engine: $message', (error) => {
    const found = findingsOf(error);
    const matching = found.filter(({ code, message }) => code === error.finds || message.includes(`(${error.finds})`));
    expect(matching, JSON.stringify(found.map(({ code, message }) => `${code}: ${message}`))).not.toEqual([]);
    expect(matching.map(({ severity, nodeId, field }) => ({ severity, nodeId, field }))).toContainEqual({
      severity: error.severity ?? 'error',
      nodeId: error.node,
      field: error.field,
    });
  });
});

import { describe, expect, it } from 'vitest';
import type { PlanContext } from '@/server/core/rules/constraints/context';
import { evaluate, truth } from '@/server/core/rules/constraints/evaluate';
import { type Expression, Unknown, type Value } from '@/server/core/rules/constraints/expression';
import { CONSTRAINT_TABLES } from '@/server/core/rules/constraints/tables';
import language from '@/test/fixtures/constraints/language.json';
import verdicts from '@/test/fixtures/constraints/verdicts.json';

interface LanguageCase {
  text: string;
  tree: Expression;
  value: unknown;
  noVersion?: true;
}
const CASES = language.cases as unknown as LanguageCase[];
const CONTEXT = language.context as unknown as PlanContext;

const recorded = (value: Value): unknown => {
  if (value instanceof Unknown) return { unknown: true };
  return Array.isArray(value) ? value.map(recorded) : value;
};

describe('rule language', () => {
  it.each(CASES)('$text', ({ tree, value, noVersion }) => {
    const { ver, ...versionless } = CONTEXT;
    expect(ver).toBe('0.28.1');
    const got = recorded(evaluate(tree, noVersion ? versionless : CONTEXT));
    expect(got).toEqual(value);
  });

  it('names the facts that would settle an unknown, and only those', () => {
    const tree: Expression = [
      'and',
      ['or', ['variable', 'model', 'is_moe'], ['literal', true]],
      ['compare', ['variable', 'hw', 'cc'], ['>=', ['variable', 'quant', 'min_cc']]],
    ];
    expect(evaluate(tree, { hw: { cc: 89 } })).toEqual(new Unknown(['quant.min_cc']));
    expect(evaluate(tree, {})).toEqual(new Unknown(['hw.cc', 'quant.min_cc']));
  });

  it('names the choice that nobody set where None has no order', () => {
    const tree: Expression = ['compare', ['variable', 'arg', 'max_num_seqs'], ['<', ['literal', 8]]];
    expect(evaluate(tree, {})).toEqual(new Unknown(['arg.max_num_seqs']));
    expect(evaluate(['call', 'len', ['variable', 'spec', 'types']], {})).toEqual(new Unknown(['spec.types']));
    expect(evaluate(['binary', '%', ['literal', 7], ['literal', 0]], {})).toEqual(new Unknown([]));
  });

  it('compares versions by number: a missing part is 0, a pre-release suffix does not count', () => {
    const atLeast = (have: string, need: string) =>
      evaluate(['call', 'ver_ge', ['literal', have], ['literal', need]], {});
    expect(atLeast('0.30', '0.30.0')).toBe(true);
    expect(atLeast('1.0b7', '1.0.5')).toBe(false);
    expect(atLeast('b10573', '10500')).toBe(true);
  });

  // The reference leans on Python here: a string is a set of letters for `overlaps`, 'fp8' < 3 counts as true.
  it.each<[string, Expression]>([
    ['order of a string and a number', ['compare', ['variable', 'arg', 's'], ['<', ['literal', 3]]]],
    ['common element of a string', ['call', 'overlaps', ['variable', 'arg', 's'], ['list', ['literal', 'f']]]],
    ['prefix of a list', ['call', 'startswith', ['variable', 'arg', 'ls'], ['literal', 'a']]],
  ])('has no answer for operands of the wrong type: %s', (_, tree) => {
    expect(evaluate(tree, CONTEXT)).toEqual(new Unknown([]));
  });

  it('refuses a namespace that the language does not have', () => {
    expect(() => evaluate(['variable', 'shell', 'path'], {})).toThrow('no namespace shell');
  });
});

const BY_ID = new Map(Object.values(CONSTRAINT_TABLES).flatMap((t) => t.constraints.map((c) => [c.id, c] as const)));
const letter = (value: boolean | Unknown): string => (value instanceof Unknown ? 'u' : value ? 't' : 'f');

describe('verdicts that the reference evaluator recorded', () => {
  const rows = verdicts.constraints as unknown as { id: string; cases: [string, PlanContext][] }[];

  it('covers every constraint', () => {
    expect(rows.map((row) => row.id).sort()).toEqual([...BY_ID.keys()].sort());
    expect(rows.flatMap((row) => row.cases).length).toBeGreaterThan(2000);
  });

  it.each(rows)('$id', ({ id, cases }) => {
    const constraint = BY_ID.get(id);
    if (constraint === undefined) throw new Error(`no constraint ${id}`);
    for (const [verdict, context] of cases) {
      const got = [constraint.ifTree, constraint.thenTree].map((tree) => letter(truth(evaluate(tree, context))));
      expect(got.join(''), JSON.stringify(context)).toBe(verdict);
    }
  });
});

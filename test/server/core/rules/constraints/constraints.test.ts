import { describe, expect, it } from 'vitest';
import { checkConstraints } from '@/server/core/rules/constraints/check-constraints';
import { CHOICE_NAMESPACES, FACT_NAMESPACES } from '@/server/core/rules/constraints/context';
import type { Expression } from '@/server/core/rules/constraints/expression';
import { CONSTRAINT_ENGINES, CONSTRAINT_TABLES, type Constraint } from '@/server/core/rules/constraints/tables';
import { findContext } from '@/test/fixtures/constraints/search';

const ALL = CONSTRAINT_ENGINES.flatMap((engine) =>
  CONSTRAINT_TABLES[engine].constraints.map((constraint) => ({ engine, id: constraint.id, constraint })),
);

/** Constraints whose `then` is False: what they name is not supported at all, so they pass only where they don't apply. */
const isRefusal = ({ thenTree }: Constraint): boolean => JSON.stringify(thenTree) === '["literal",false]';

describe('each constraint, in contexts made of the values that it mentions', () => {
  it.each(ALL)('$id: a plan that violates it', ({ engine, id, constraint }) => {
    const context = findContext(constraint, false);
    expect(context).not.toBeNull();
    expect(checkConstraints(engine, context ?? {}).violated.map((violation) => violation.id)).toContain(id);
  });

  it.each(ALL.filter(({ constraint }) => !isRefusal(constraint)))(
    '$id: a plan that passes it',
    ({ engine, id, constraint }) => {
      const context = findContext(constraint, true);
      expect(context).not.toBeNull();
      const { violated, notChecked } = checkConstraints(engine, context ?? {});
      expect([...violated, ...notChecked].map((entry) => entry.id)).not.toContain(id);
    },
  );

  // A warning on every plan; no plan of that engine passes it.
  const ALWAYS = ['tgi.maintenance'];
  const refused = ALL.filter(({ constraint }) => isRefusal(constraint));

  it.each(refused.filter(({ id }) => !ALWAYS.includes(id)))(
    '$id: a plan without what it refuses',
    ({ engine, id, constraint }) => {
      const context = findContext(constraint, false, false);
      expect(context).not.toBeNull();
      const { violated, notChecked } = checkConstraints(engine, context ?? {});
      expect([...violated, ...notChecked].map((entry) => entry.id)).not.toContain(id);
    },
  );

  it.each(ALWAYS)('%s holds against every plan', (id) => {
    expect(refused.find((entry) => entry.id === id)?.constraint.ifTree).toEqual(['literal', true]);
  });
});

/** The words of a tree in the order of the text, without brackets and commas. */
function words(tree: Expression): string[] {
  const joined = (parts: readonly Expression[], word: string) =>
    parts.flatMap((part, index) => (index === 0 ? words(part) : [word, ...words(part)]));
  switch (tree[0]) {
    case 'literal':
      if (typeof tree[1] === 'string') return [JSON.stringify(tree[1])];
      return [tree[1] === null ? 'None' : tree[1] === true ? 'True' : tree[1] === false ? 'False' : String(tree[1])];
    case 'version':
      return ['ver'];
    case 'variable':
      return [`${tree[1]}.${tree[2]}`];
    case 'list':
      return (tree.slice(1) as Expression[]).flatMap(words);
    case 'and':
    case 'or':
      return joined(tree.slice(1) as Expression[], tree[0]);
    case 'not':
      return ['not', ...words(tree[1])];
    case 'negative':
      return ['-', ...words(tree[1])];
    case 'binary':
      return joined([tree[2], tree[3]], tree[1]);
    case 'if':
      return [...words(tree[2]), 'if', ...words(tree[1]), 'else', ...words(tree[3])];
    case 'compare':
      return [
        ...words(tree[1]),
        ...(tree.slice(2) as [string, Expression][]).flatMap(([operator, part]) => [
          ...operator.split(' '),
          ...words(part),
        ]),
      ];
    case 'call':
      return [tree[1], ...(tree.slice(2) as Expression[]).flatMap(words)];
  }
}

const WORD = /"[^"]*"|'[^']*'|[A-Za-z_][\w.]*|\d+(?:\.\d+)?|\/\/|[=!<>]=|[-+*%<>]/g;
const wordsOfText = (text: string): string[] =>
  (text.match(WORD) ?? []).map((word) => (/^\d/.test(word) ? String(Number(word)) : word.replace(/^'(.*)'$/, '"$1"')));

describe('the tables', () => {
  it('hold every constraint of the eight engines once', () => {
    expect(ALL).toHaveLength(423);
    expect(new Set(ALL.map((entry) => entry.id)).size).toBe(423);
    for (const engine of CONSTRAINT_ENGINES) expect(CONSTRAINT_TABLES[engine].engine).toBe(engine);
  });

  it.each(ALL)('$id: level, reason and source are there, the trees say what the texts say', ({ constraint }) => {
    expect(['error', 'warning', 'info']).toContain(constraint.level);
    expect(constraint.reason.length).toBeGreaterThan(5);
    expect(constraint.source.length).toBeGreaterThan(3);
    expect(words(constraint.ifTree)).toEqual(wordsOfText(constraint.if));
    expect(words(constraint.thenTree)).toEqual(wordsOfText(constraint.then));
  });

  it('read only namespaces that the context has', () => {
    const namespaces = ALL.flatMap(({ constraint }) =>
      `${constraint.if} ${constraint.then}`.replaceAll(/"[^"]*"/g, '').match(/\b[a-z_]+(?=\.[A-Za-z_])/g),
    );
    const known: readonly string[] = [...CHOICE_NAMESPACES, ...FACT_NAMESPACES];
    expect([...new Set(namespaces)].filter((namespace) => namespace && !known.includes(namespace))).toEqual([]);
  });
});

describe('quantization facts', () => {
  it('come from the table of the method in use', () => {
    const arg = { dtype: 'float32' };
    const hw = { vendor: 'nvidia', cc: 70 } as const;
    const ids = checkConstraints('vllm', { arg, hw, model: { quant_method: 'awq' } }).violated.map((v) => v.id);
    expect(ids).toEqual(expect.arrayContaining(['vllm.quant.min_cc', 'vllm.quant.act_dtype']));
  });

  it('let a flag that disagrees with the checkpoint be found', () => {
    const verdict = (flag: string) =>
      checkConstraints('vllm', { arg: { quantization: flag }, model: { quant_method: 'awq' } }).violated.map(
        (v) => v.id,
      );
    expect(verdict('gptq')).toContain('vllm.quant.matches_ckpt');
    expect(verdict('awq_marlin')).not.toContain('vllm.quant.matches_ckpt');
  });

  it('stay unknown where the checkpoint is, and are none where it is not quantized', () => {
    const pending = (model: object) =>
      checkConstraints('vllm', { hw: { vendor: 'nvidia', cc: 80 }, model }).notChecked.find(
        (n) => n.id === 'vllm.quant.min_cc',
      );
    expect(pending({})).toEqual({ id: 'vllm.quant.min_cc', unknown: ['quant.method', 'quant.min_cc'] });
    expect(pending({ quant_method: null })).toBeUndefined();
    expect(pending({ quant_method: 'of-tomorrow' })).toEqual({ id: 'vllm.quant.min_cc', unknown: ['quant.min_cc'] });
  });
});

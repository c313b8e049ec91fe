import { describe, expect, it } from 'vitest';
import { findNodeType } from '@/server/core/catalog/find-node-type';
import { validateParams } from '@/server/core/catalog/validate-params';
import { activeGraph, bypassedWith } from '@/server/core/pipeline/bypass';
import type { Pipeline } from '@/server/core/pipeline/document';
import { expandDeployment } from '@/server/core/pipeline/expand';
import { node, serving } from '@/test/fixtures/pipelines';

function expand(document: Pipeline, limit = 64) {
  const graph = activeGraph(document);
  const params = new Map(
    [...graph.nodes.values()].flatMap((n) => {
      const type = findNodeType(n.type);
      return type ? [[n.id, validateParams(type, n)] as const] : [];
    }),
  );
  const deployment = graph.nodes.get('dep');
  if (!deployment) throw new Error('no dep');
  return expandDeployment({ graph, params, deployment }, limit);
}
const ids = (document: Pipeline) => expand(document).arms.map((arm) => arm.id);
/** `arm: node node@scope …` without the sources that every arm has. */
const parts = (document: Pipeline) =>
  expand(document).arms.map((arm) =>
    arm.participants
      .filter((p) => !['engine', 'hardware', 'deployment'].includes(p.type.type))
      .map((p) => `${p.node.id}${p.scope === 'target' ? '' : `@${p.scope}`}`)
      .join(' '),
  );

const dep = node('dep', 'deployment');
const q4 = node('q4', 'gguf-quantization');
const q8 = node('q8', 'gguf-quantization', { type: 'Q8_0' });

describe('expandDeployment', () => {
  it('makes one arm of a plain chain', () => {
    const document = serving([dep, q4], ['model.weights > q4.weights', 'q4.weights > dep.serving']);
    expect(ids(document)).toEqual(['dep']);
    expect(parts(document)).toEqual(['model q4']);
  });

  it('takes several edges into a port as alternatives, a direct one as "without"', () => {
    const document = serving(
      [dep, q4, q8],
      [
        'model.weights > dep.serving',
        'model.weights > q4.weights',
        'q4.weights > dep.serving',
        'model.weights > q8.weights',
        'q8.weights > dep.serving',
      ],
    );
    expect(ids(document)).toEqual(['dep[serving=without]', 'dep[serving=q4]', 'dep[serving=q8]']);
    expect(parts(document)).toEqual(['model', 'model q4', 'model q8']);
  });

  it('multiplies choices and sweeps, and names the node where two have a parameter of one name', () => {
    const document = serving(
      [
        dep,
        node('s', 'draft-speculation', { k: { $sweep: [2, 4] } }),
        node('l', 'prompt-lookup', { k: { $sweep: [3, 5] } }),
      ],
      ['model.weights > s.serving', 's.serving > l.serving', 'l.serving > dep.serving'],
    );
    expect(ids(document)).toEqual(['dep[l.k=3,s.k=2]', 'dep[l.k=3,s.k=4]', 'dep[l.k=5,s.k=2]', 'dep[l.k=5,s.k=4]']);
    expect(expand(document).arms[1]?.participants.find((p) => p.node.id === 's')?.params.k).toBe(4);
  });

  it('decides a shared node once for all the ways that lead to it', () => {
    const document = serving(
      [dep, node('q', 'gguf-quantization', { type: { $sweep: ['Q8_0', 'Q4_0'] } }), node('s', 'draft-speculation')],
      ['model.weights > q.weights', 'q.weights > s.serving', 'q.weights > s.draft', 's.serving > dep.serving'],
    );
    expect(ids(document)).toEqual(['dep[type=Q8_0]', 'dep[type=Q4_0]']);
    expect(parts(document)[0]).toBe('model q model@draft q@draft s');
  });

  it('leaves out choices of branches that an arm does not take', () => {
    const document = serving(
      [dep, node('q', 'gguf-quantization', { type: { $sweep: ['Q8_0', 'Q4_0'] } })],
      ['model.weights > dep.serving', 'model.weights > q.weights', 'q.weights > dep.serving'],
    );
    expect(ids(document)).toEqual(['dep[serving=without]', 'dep[serving=q,type=Q8_0]', 'dep[serving=q,type=Q4_0]']);
  });

  it('does not expand load parameters', () => {
    expect(
      ids(serving([dep, node('cpu', 'hardware', { count: { $sweep: [1, 2] } })], ['model.weights > dep.serving'])),
    ).toEqual(['dep[count=1]', 'dep[count=2]']);
    const document = serving(
      [dep, node('chat', 'workload', { concurrency: { $sweep: [1, 2] } })],
      ['model.weights > dep.serving'],
    );
    expect(ids(document)).toEqual(['dep']);
  });

  it('stops at the limit, also where the product is astronomic', () => {
    const chain = Array.from({ length: 40 }, (_, i) => node(`t${i}`, 'threads', { threads: { $sweep: [1, 2, 3, 4] } }));
    const edges = chain.slice(1).map((n, i) => `t${i}.serving > ${n.id}.serving`);
    const document = serving([dep, ...chain], ['model.weights > t0.serving', ...edges, 't39.serving > dep.serving']);
    const { arms, exceeded } = expand(document, 64);
    expect([arms.length, exceeded]).toEqual([64, true]);
    expect(new Set(arms.map((arm) => arm.id)).size).toBe(64);
  });

  it('keeps delimiters out of ids', () => {
    const document = serving(
      [dep, node('model', 'model', { path: { $sweep: ['/a b/[x].gguf', '/c,d=e.gguf'] } })],
      ['model.weights > dep.serving'],
    );
    expect(ids(document)).toEqual(['dep[path=/a_b/_x_.gguf]', 'dep[path=/c_d_e.gguf]']);
  });
});

describe('bypass', () => {
  const chain = [
    'model.weights > q4.weights',
    'q4.weights > s.serving',
    'd.weights > s.draft',
    's.serving > dep.serving',
  ];
  const draft = node('d', 'model', { model: 'inferloom-demo-draft' });

  it('passes on what enters a bypassed node, and drops what feeds only it', () => {
    const document = serving([dep, q4, draft, { ...node('s', 'draft-speculation'), bypassed: true }], chain);
    expect(parts(document)).toEqual(['model q4']);
    expect([...bypassedWith(document)]).toEqual(['s', 'd']);
  });

  it('goes through several bypassed nodes', () => {
    const bypassed = [q4, node('s', 'draft-speculation')].map((n) => ({ ...n, bypassed: true }));
    expect(parts(serving([dep, draft, ...bypassed], chain))).toEqual(['model']);
  });

  it('makes a bypassed alternative the direct edge, once', () => {
    const document = serving(
      [dep, { ...q4, bypassed: true }],
      ['model.weights > dep.serving', 'model.weights > q4.weights', 'q4.weights > dep.serving'],
    );
    expect(ids(document)).toEqual(['dep']);
  });

  it('survives a circle of bypassed nodes', () => {
    const loop = ['a', 'b'].map((id) => ({ ...node(id, 'context'), bypassed: true }));
    const document = serving(
      [dep, ...loop],
      ['a.serving > b.serving', 'b.serving > a.serving', 'b.serving > dep.serving'],
    );
    expect(parts(document)).toEqual(['']);
  });
});

import { describe, expect, it } from 'vitest';
import { applyEdits } from '@/server/core/pipeline/apply-edits';
import { checkTopology } from '@/server/core/pipeline/topology';
import { codes, edge, errorsOf, node, pipeline, serving } from '@/test/fixtures/pipelines';

const dep = node('dep', 'deployment');

describe('checkTopology', () => {
  it('has nothing to say about a whole graph', () => {
    expect(checkTopology(serving([dep], ['model.weights > dep.serving']))).toEqual([]);
  });

  it.each([
    ['an unknown type', [node('x', 'time-machine')], [], ['unknown-node-type@x']],
    ['a dangling edge', [], ['model.weights > gone.serving'], ['edge-dangling@model']],
    ['an edge from nowhere', [], ['gone.weights > dep.serving'], ['edge-dangling@dep']],
    ['an unknown output', [], ['model.engine > dep.engine'], ['unknown-port@model']],
    ['an unknown input', [], ['model.weights > dep.weights'], ['unknown-port@dep']],
    ['a port of another kind', [], ['model.weights > dep.hardware'], ['port-kind@dep']],
    ['serving into weights', [node('q', 'gguf-quantization')], ['fa.serving > q.weights'], ['port-kind@q']],
    ['a reversed stage', [node('np', 'parallel-sequences')], ['np.serving > fa.serving'], ['stage-reversed@fa']],
  ])('%s', (_, extra, edges, expected) => {
    const graph = serving([dep, node('fa', 'flash-attention'), ...extra], ['model.weights > dep.serving', ...edges]);
    expect(errorsOf(checkTopology(graph))).toEqual(expected);
  });

  it('names every node of every circle, and only those', () => {
    const nodes = ['a', 'b', 'c', 'd'].map((id) => node(id, 'flash-attention'));
    const graph = serving(
      [dep, ...nodes],
      [
        'a.serving > b.serving',
        'b.serving > a.serving',
        'b.serving > c.serving',
        'd.serving > d.serving',
        'c.serving > dep.serving',
      ],
    );
    const circles = checkTopology(graph).filter((f) => f.code === 'cycle');
    expect(circles.map((f) => f.nodeId).sort()).toEqual(['a', 'b', 'd']);
    expect(circles.find((f) => f.nodeId === 'a')?.message).toContain('a, b');
  });

  it('offers to connect the only engine there is, or to add one', () => {
    const half = pipeline([dep, node('engine', 'engine')], []);
    const fixes = checkTopology(half).filter((f) => f.code === 'port-unconnected');
    expect(fixes.map((f) => [f.nodeId, f.field, f.fix?.label])).toEqual([
      ['dep', 'serving', 'Add model'],
      ['dep', 'engine', 'Connect engine "engine"'],
      ['dep', 'hardware', 'Add hardware'],
    ]);
    const fixed = fixes.reduce((p, f) => applyEdits(p, f.fix?.edits ?? []), half);
    expect(errorsOf(checkTopology(fixed))).toEqual([]);
  });

  it('needs no model and no hardware for a server that runs already', () => {
    const graph = pipeline(
      [dep, node('e', 'engine', { engine: 'endpoint', url: 'http://x' })],
      ['e.engine > dep.engine'],
    );
    expect(checkTopology(graph)).toEqual([]);
  });

  it('warns of nodes that lead nowhere and of double edges', () => {
    const graph = serving(
      [dep, node('fa', 'flash-attention')],
      ['model.weights > dep.serving', 'model.weights > dep.serving', 'model.weights > fa.serving'],
    );
    const findings = checkTopology(graph);
    expect(codes(findings)).toEqual(['edge-duplicate', 'unused-node']);
    const fixed = applyEdits(graph, findings[0]?.fix?.edits ?? []);
    expect(
      fixed.edges.filter((e) => JSON.stringify(e) === JSON.stringify(edge('model.weights > dep.serving'))),
    ).toHaveLength(1);
  });

  it('does not warn of what is idle because something was bypassed', () => {
    const graph = serving(
      [dep, node('d', 'model'), { ...node('s', 'draft-speculation'), bypassed: true }],
      ['model.weights > s.serving', 'd.weights > s.draft', 's.serving > dep.serving'],
    );
    expect(checkTopology(graph)).toEqual([]);
  });

  it('asks nothing of bypassed nodes', () => {
    const graph = serving([dep, { ...node('x', 'time-machine'), bypassed: true }], ['model.weights > dep.serving']);
    expect(checkTopology(graph)).toEqual([]);
  });
});

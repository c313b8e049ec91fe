import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyEdits } from '@/server/core/pipeline/apply-edits';
import { diffPipelines } from '@/server/core/pipeline/diff';
import { pipelineSchema } from '@/server/core/pipeline/document';
import { EXAMPLES } from '@/server/core/pipeline/examples';
import type { Edit } from '@/server/core/plan/finding';
import { anyEdit } from '@/test/fixtures/arbitrary-pipelines';
import { compileDocument, edge, node, pipeline } from '@/test/fixtures/pipelines';

const base = pipeline([node('a', 'model'), node('b', 'deployment', { blocks: 3 })], ['a.weights > b.serving']);

describe('applyEdits', () => {
  it.each<[Edit, (p: typeof base) => unknown, unknown]>([
    [{ op: 'set-param', nodeId: 'b', field: 'blocks', value: 6 }, (p) => p.nodes[1]?.params, { blocks: 6 }],
    [{ op: 'set-param', nodeId: 'b', field: 'blocks', value: undefined }, (p) => p.nodes[1]?.params, {}],
    [{ op: 'set-bypass', nodeId: 'a', bypassed: true }, (p) => p.nodes[0]?.bypassed, true],
    [{ op: 'add-node', node: node('c', 'engine') }, (p) => p.nodes.map((n) => n.id), ['a', 'b', 'c']],
    [{ op: 'add-node', node: node('a', 'engine') }, (p) => p.nodes[0]?.type, 'model'],
    [{ op: 'remove-node', nodeId: 'a' }, (p) => [p.nodes.map((n) => n.id), p.edges], [['b'], []]],
    [{ op: 'add-edge', edge: edge('a.weights > b.serving') }, (p) => p.edges.length, 1],
    [{ op: 'add-edge', edge: edge('a.weights > b.engine') }, (p) => p.edges.length, 2],
    [{ op: 'remove-edge', edge: edge('a.weights > b.serving') }, (p) => p.edges.length, 0],
  ])('%j', (edit, look, expected) => {
    expect(look(applyEdits(base, [edit]))).toEqual(expected);
  });

  it('changes nothing where the place is gone, and never the original', () => {
    const frozen = JSON.stringify(base);
    expect(applyEdits(base, [{ op: 'set-param', nodeId: 'gone', field: 'x', value: 1 }])).toBe(base);
    applyEdits(base, [{ op: 'remove-node', nodeId: 'a' }]);
    expect(JSON.stringify(base)).toBe(frozen);
  });

  it('leaves a document, whatever the edits (property)', { timeout: 60_000 }, () => {
    const demo = EXAMPLES[0]?.pipeline ?? base;
    fc.assert(
      fc.property(fc.array(anyEdit(demo), { maxLength: 12 }), (edits) => {
        const edited = applyEdits(demo, edits);
        pipelineSchema.parse(edited);
        compileDocument(edited);
      }),
      { numRuns: 30 },
    );
  });
});

describe('diffPipelines', () => {
  it('finds nothing between a document and itself', () => {
    expect(diffPipelines(base, structuredClone(base))).toEqual({
      addedNodes: [],
      removedNodes: [],
      changedNodes: [],
      addedEdges: [],
      removedEdges: [],
    });
  });

  it('lists nodes, parameters, properties and edges that differ', () => {
    const after = applyEdits(base, [
      { op: 'set-param', nodeId: 'b', field: 'blocks', value: 6 },
      { op: 'set-param', nodeId: 'b', field: 'baseline', value: true },
      { op: 'set-bypass', nodeId: 'b', bypassed: true },
      { op: 'remove-node', nodeId: 'a' },
      { op: 'add-node', node: node('c', 'engine') },
      { op: 'add-edge', edge: edge('c.engine > b.engine') },
    ]);
    expect(diffPipelines(base, after)).toEqual({
      addedNodes: [node('c', 'engine')],
      removedNodes: [base.nodes[0]],
      changedNodes: [
        {
          nodeId: 'b',
          params: [
            { field: 'blocks', before: 3, after: 6 },
            { field: 'baseline', before: undefined, after: true },
          ],
          properties: ['bypassed'],
        },
      ],
      addedEdges: [edge('c.engine > b.engine')],
      removedEdges: base.edges,
    });
  });

  it('is empty exactly where documents are equal (property)', () => {
    const demo = EXAMPLES[0]?.pipeline ?? base;
    fc.assert(
      fc.property(fc.array(anyEdit(demo), { maxLength: 4 }), (edits) => {
        const edited = applyEdits(demo, edits);
        const diff = diffPipelines(demo, edited);
        const back = diffPipelines(edited, demo);
        expect(diff.addedNodes).toEqual(back.removedNodes);
        expect(diff.addedEdges).toEqual(back.removedEdges);
        expect(diff.changedNodes.map((c) => c.nodeId).sort()).toEqual(back.changedNodes.map((c) => c.nodeId).sort());
      }),
      { numRuns: 30 },
    );
  });
});

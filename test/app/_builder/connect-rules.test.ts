import { describe, expect, it } from 'vitest';
import { edgeBetween, portForNewNode, portKey, refusalsFor } from '@/app/_builder/connect-rules';
import { createDocumentStore } from '@/app/_builder/document-store';
import { addNewNode, freePlace } from '@/app/_builder/new-node';
import { createUiStore } from '@/app/_builder/ui-store';
import { node, small } from './fixtures';

const fromModel = { node: 'model', port: 'weights', side: 'source' as const };

describe('while an edge is drawn', () => {
  it('says for each facing port whether it can take the edge, and why not', () => {
    const refusals = refusalsFor(small(), fromModel);
    expect(refusals.get(portKey('dep', 'serving'))).toBeNull();
    expect(refusals.get(portKey('quant', 'weights'))).toBe('They are connected already.');
    expect(refusals.get(portKey('dep', 'engine'))).toContain('takes engine');
    expect([...refusals.keys()].some((key) => key.startsWith('engine:'))).toBe(false);
  });

  it('refuses a circle', () => {
    const chain = small();
    chain.nodes.push(node('second', 'gguf-quantization'));
    chain.edges.push({ from: { node: 'quant', port: 'weights' }, to: { node: 'second', port: 'weights' } });
    const refusals = refusalsFor(chain, { node: 'second', port: 'weights', side: 'source' });
    expect(refusals.get(portKey('quant', 'weights'))).toBe('That would close a circle.');
  });

  it('turns an edge that was drawn backwards into the direction of the flow', () => {
    expect(edgeBetween({ node: 'dep', port: 'engine', side: 'target' }, 'engine', 'engine')).toEqual({
      from: { node: 'engine', port: 'engine' },
      to: { node: 'dep', port: 'engine' },
    });
  });
});

describe('a node that is added at a port', () => {
  it('finds the port that fits, or none', () => {
    expect(portForNewNode(small(), fromModel, node('new', 'flash-attention'))).toBe('serving');
    expect(portForNewNode(small(), fromModel, node('new', 'hardware'))).toBeNull();
    expect(portForNewNode(small(), { node: 'dep', port: 'hardware', side: 'target' }, node('new', 'hardware'))).toBe(
      'hardware',
    );
  });

  it('is tied in and selected, in one step', () => {
    const document = createDocumentStore(small());
    const ui = createUiStore();
    const id = addNewNode({ document, ui }, { type: 'flash-attention', at: { x: 8, y: 8 }, from: fromModel });
    const { pipeline } = document.store.getState();
    expect(pipeline.edges.at(-1)).toEqual({
      from: { node: 'model', port: 'weights' },
      to: { node: id, port: 'serving' },
    });
    expect(ui.getState().selectedNodes).toEqual([id]);
    document.undo();
    expect(document.store.getState().pipeline).toEqual(small());
  });

  it('never covers another node', () => {
    const nodes = [
      node('a', 'model', { position: { x: 0, y: 0 } }),
      node('b', 'model', { position: { x: 24, y: 24 } }),
    ];
    expect(freePlace(nodes, { x: 3, y: 2 })).toEqual({ x: 48, y: 48 });
  });
});

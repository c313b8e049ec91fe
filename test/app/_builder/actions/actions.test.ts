import { describe, expect, it } from 'vitest';
import { ACTIONS } from '@/app/_builder/actions';
import { addNode } from '@/app/_builder/actions/add-node';
import { applyEdits } from '@/app/_builder/actions/apply-edits';
import { connect } from '@/app/_builder/actions/connect';
import { layOut } from '@/app/_builder/actions/lay-out';
import { move } from '@/app/_builder/actions/move';
import { paste } from '@/app/_builder/actions/paste';
import { remove } from '@/app/_builder/actions/remove';
import { renameNode } from '@/app/_builder/actions/rename-node';
import { setParam } from '@/app/_builder/actions/set-param';
import { toggleBypass } from '@/app/_builder/actions/toggle-bypass';
import { fragmentOf, fromClipboardText, toClipboardText } from '@/app/_builder/clipboard';
import { edgeId } from '@/app/_builder/graph';
import { NODE_WIDTH } from '@/app/_builder/layout';
import { edge, node, small } from '../fixtures';

const ids = (nodes: readonly { id: string }[]) => nodes.map((n) => n.id);

describe('adding and connecting', () => {
  it('adds a node with its edges, and never a second node of one id', () => {
    const before = small();
    const after = addNode.apply(before, {
      node: node('flash', 'flash-attention'),
      edges: [edge('quant', 'flash', 'serving')],
    });
    expect(after.nodes.at(-1)?.id).toBe('flash');
    expect(after.edges).toHaveLength(before.edges.length + 1);
    expect(addNode.apply(after, { node: node('flash', 'threads') })).toBe(after);
  });

  it('adds an edge once', () => {
    const before = small();
    const after = connect.apply(before, edge('model', 'dep'));
    expect(after.edges).toHaveLength(5);
    expect(connect.apply(after, edge('model', 'dep'))).toBe(after);
  });
});

describe('removing', () => {
  it('takes the edges of a removed node along and leaves the others', () => {
    const after = remove.apply(small(), { nodeIds: ['quant'], edgeIds: [] });
    expect(ids(after.nodes)).not.toContain('quant');
    expect(after.edges.map(edgeId)).toEqual(['engine:engine>dep:engine', 'hardware:hardware>dep:hardware']);
  });

  it('takes a single edge, and changes nothing for what is gone', () => {
    const before = small();
    const cut = remove.apply(before, { nodeIds: [], edgeIds: [edgeId(edge('quant', 'dep'))] });
    expect(cut.edges).toHaveLength(3);
    expect(remove.apply(before, { nodeIds: ['nobody'], edgeIds: ['x:y>z:w'] })).toBe(before);
  });
});

describe('moving and laying out', () => {
  it('keeps untouched nodes as the very same objects', () => {
    const before = small();
    const after = move.apply(before, { quant: { x: 8, y: 16 } });
    expect(after.nodes[1]?.position).toEqual({ x: 8, y: 16 });
    expect(after.nodes[0]).toBe(before.nodes[0]);
    expect(move.apply(before, { quant: { x: 200, y: 0 } })).toBe(before);
  });

  it('lays out along the edges, left to right, without overlaps, the same each time', () => {
    const heights = { dep: 120 };
    const after = layOut.apply(small(), { heights });
    const x = Object.fromEntries(after.nodes.map((n) => [n.id, n.position?.x ?? Number.NaN]));
    expect(x.quant).toBeGreaterThan((x.model ?? 0) + NODE_WIDTH);
    expect(x.dep).toBeGreaterThan((x.quant ?? 0) + NODE_WIDTH);
    expect(new Set(after.nodes.map((n) => `${n.position?.x},${n.position?.y}`)).size).toBe(after.nodes.length);
    expect(layOut.apply(after, { heights })).toBe(after);
  });
});

describe('parameters and bypass', () => {
  it('sets, keeps null apart from absent, and takes out on undefined', () => {
    const before = small();
    const set = setParam.apply(before, { nodeId: 'quant', field: 'repo', value: null });
    expect(set.nodes[1]?.params).toEqual({ type: 'Q8_0', repo: null });
    const unset = setParam.apply(set, { nodeId: 'quant', field: 'repo', value: undefined });
    expect(unset.nodes[1]?.params).toEqual({ type: 'Q8_0' });
    expect(setParam.apply(before, { nodeId: 'quant', field: 'type', value: 'Q8_0' })).toBe(before);
    expect(setParam.apply(before, { nodeId: 'nobody', field: 'type', value: 1 })).toBe(before);
  });

  it('bypasses all of a mixed selection first, then brings all back without a trace', () => {
    const before = small();
    const one = toggleBypass.apply(before, { nodeIds: ['quant'] });
    const both = toggleBypass.apply(one, { nodeIds: ['quant', 'engine'] });
    expect(both.nodes.filter((n) => n.bypassed).map((n) => n.id)).toEqual(['quant', 'engine']);
    expect(toggleBypass.apply(both, { nodeIds: ['quant', 'engine'] })).toEqual(before);
    expect(toggleBypass.apply(before, { nodeIds: [] })).toBe(before);
  });
});

describe('copy and paste', () => {
  it('keeps inner edges under new ids, and what it does not know', () => {
    const before = small();
    const text = toClipboardText(fragmentOf(before, ['model', 'quant', 'dep', 'alien']));
    const fragment = fromClipboardText(text);
    if (!fragment) throw new Error('not read back');
    const after = paste.apply(before, { ...fragment, offset: { x: 32, y: 32 } });
    const added = after.nodes.slice(before.nodes.length);
    expect(ids(added)).toEqual(['model-2', 'quant-2', 'dep-2', 'alien-2']);
    expect(added[3]).toMatchObject({ type: 'from-the-future', params: { warp: 9 }, note: 'kept' });
    expect(added[1]?.position).toEqual({ x: 232, y: 32 });
    expect(after.edges.slice(before.edges.length).map(edgeId)).toEqual([
      'model-2:weights>quant-2:weights',
      'quant-2:weights>dep-2:serving',
    ]);
  });

  it('never takes an id twice, also not among the pasted nodes', () => {
    const twins = [node('a', 'model'), node('a-2', 'model')];
    const after = paste.apply(
      { version: 1, nodes: [node('a', 'model')], edges: [] },
      {
        nodes: twins,
        edges: [edge('a', 'a-2')],
        offset: { x: 0, y: 0 },
      },
    );
    expect(new Set(ids(after.nodes)).size).toBe(3);
    expect(after.edges).toHaveLength(1);
  });

  it('reads nothing from other text', () => {
    for (const text of ['', 'vllm serve x', '{"nodes":[]}', '[1]', '{"nodes":[{"type":"x"}]}']) {
      expect(fromClipboardText(text), text).toBeNull();
    }
  });
});

describe('renaming and quick fixes', () => {
  it('leads the edges to the new id and refuses one that is taken', () => {
    const before = small();
    const after = renameNode.apply(before, { nodeId: 'quant', to: 'q8' });
    expect(after.edges.map(edgeId)).toContain('q8:weights>dep:serving');
    expect(after.edges.map(edgeId)).toContain('model:weights>q8:weights');
    expect(renameNode.apply(before, { nodeId: 'quant', to: 'dep' })).toBe(before);
    expect(renameNode.apply(before, { nodeId: 'quant', to: '' })).toBe(before);
  });

  it('applies all edits of a fix at once', () => {
    const after = applyEdits.apply(small(), {
      edits: [
        { op: 'set-param', nodeId: 'quant', field: 'type', value: 'Q4_K_M' },
        { op: 'remove-node', nodeId: 'alien' },
      ],
    });
    expect(after.nodes[1]?.params.type).toBe('Q4_K_M');
    expect(ids(after.nodes)).not.toContain('alien');
  });
});

it('every action has its own id', () => {
  expect(new Set(ids(ACTIONS)).size).toBe(ACTIONS.length);
});

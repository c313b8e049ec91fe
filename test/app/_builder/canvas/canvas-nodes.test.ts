import { describe, expect, it } from 'vitest';
import { setParam } from '@/app/_builder/actions/set-param';
import { toggleBypass } from '@/app/_builder/actions/toggle-bypass';
import { canvasEdges, canvasNodes } from '@/app/_builder/canvas/canvas-nodes';
import { edge, node, small } from '../fixtures';

describe('nodes on the canvas', () => {
  it('keeps the object of every node that did not change, with what was measured', () => {
    const before = small();
    const drawn = canvasNodes(before, [], []).map((one) => ({ ...one, measured: { width: 168, height: 50 } }));
    const after = setParam.apply(before, { nodeId: 'quant', field: 'type', value: 'Q4_K_M' });
    const again = canvasNodes(after, ['dep'], drawn);
    const kept = again.filter((one, index) => one === drawn[index]).map((one) => one.id);
    expect(kept).toEqual(['model', 'engine', 'hardware', 'alien']);
    expect(again[1]?.measured?.height).toBe(50);
    expect(again.find((one) => one.id === 'dep')?.selected).toBe(true);
  });

  it('gives nodes without a position places of their own', () => {
    const bare = {
      version: 1 as const,
      edges: [],
      nodes: ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => node(id, 'threads', { position: undefined })),
    };
    const places = canvasNodes(bare, [], []).map(({ position }) => `${position.x},${position.y}`);
    expect(new Set(places).size).toBe(6);
  });

  it('dashes the edges of a bypassed node, not those of others', () => {
    const drawn = canvasEdges(toggleBypass.apply(small(), { nodeIds: ['quant'] }), []);
    const dashed = drawn.filter((one) => one.style?.strokeDasharray).map((one) => `${one.source}>${one.target}`);
    expect(dashed).toEqual(['model>quant', 'quant>dep']);
  });

  it('draws an edge to a node that is missing without failing', () => {
    const broken = { ...small(), edges: [edge('model', 'ghost')] };
    expect(canvasEdges(broken, [])[0]?.ariaLabel).toBe('Model to ghost');
  });
});

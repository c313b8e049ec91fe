import type { BuilderAction } from './action';

/** New places by node id, in canvas units (px at 100 %). */
export type Positions = Readonly<Record<string, { x: number; y: number }>>;

/** Puts nodes at new places: one step for a whole drag. */
export const move: BuilderAction<Positions> = {
  id: 'move',
  label: 'Move',
  shortcut: null,
  coalesceKey: null,
  apply(pipeline, positions) {
    let changed = false;
    const nodes = pipeline.nodes.map((node) => {
      const to = positions[node.id];
      if (!to || (node.position?.x === to.x && node.position.y === to.y)) return node;
      changed = true;
      return { ...node, position: { x: to.x, y: to.y } };
    });
    return changed ? { ...pipeline, nodes } : pipeline;
  },
};

import { layOutPositions } from '../layout';
import type { BuilderAction } from './action';
import { move } from './move';

/** Arranges all nodes from left to right along the edges. `heights` by node id, px; others count as small. */
export const layOut: BuilderAction<{ heights: Readonly<Record<string, number>> }> = {
  id: 'lay-out',
  label: 'Lay out',
  shortcut: 'L',
  coalesceKey: null,
  apply: (pipeline, { heights }) => move.apply(pipeline, layOutPositions(pipeline, heights)),
};

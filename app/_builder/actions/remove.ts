import { edgeId } from '../graph';
import type { BuilderAction } from './action';

interface RemoveArgs {
  nodeIds: readonly string[];
  /** Ids as `edgeId` gives them. */
  edgeIds: readonly string[];
}

/** Removes nodes, the edges that touch them, and single edges. */
export const remove: BuilderAction<RemoveArgs> = {
  id: 'remove',
  label: 'Delete',
  shortcut: 'Delete',
  coalesceKey: null,
  apply(pipeline, args) {
    const gone = new Set(args.nodeIds);
    const cut = new Set(args.edgeIds);
    const nodes = pipeline.nodes.filter((node) => !gone.has(node.id));
    const edges = pipeline.edges.filter(
      (edge) => !gone.has(edge.from.node) && !gone.has(edge.to.node) && !cut.has(edgeId(edge)),
    );
    const unchanged = nodes.length === pipeline.nodes.length && edges.length === pipeline.edges.length;
    return unchanged ? pipeline : { ...pipeline, nodes, edges };
  },
};

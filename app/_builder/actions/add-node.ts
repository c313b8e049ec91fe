import type { PipelineEdge, PipelineNode } from '@/server/core/pipeline/document';
import type { BuilderAction } from './action';

interface AddNodeArgs {
  node: PipelineNode;
  /** Edges that tie the new node in, where it was dropped from a port. */
  edges?: readonly PipelineEdge[];
}

/** Adds a node; does nothing where the id is taken (see `fresh-id`). */
export const addNode: BuilderAction<AddNodeArgs> = {
  id: 'add-node',
  label: 'Add node',
  shortcut: null,
  coalesceKey: null,
  apply(pipeline, { node, edges = [] }) {
    if (pipeline.nodes.some((other) => other.id === node.id)) return pipeline;
    return { ...pipeline, nodes: [...pipeline.nodes, node], edges: [...pipeline.edges, ...edges] };
  },
};

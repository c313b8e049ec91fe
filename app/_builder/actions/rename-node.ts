import type { BuilderAction } from './action';

interface RenameNodeArgs {
  nodeId: string;
  to: string;
}

/** Gives a node another id and leads its edges there. Refused (nothing changes) where the id is empty or taken. */
export const renameNode: BuilderAction<RenameNodeArgs> = {
  id: 'rename-node',
  label: 'Rename node',
  shortcut: null,
  coalesceKey: null,
  apply(pipeline, { nodeId, to }) {
    const taken = pipeline.nodes.some((node) => node.id === to);
    const known = pipeline.nodes.some((node) => node.id === nodeId);
    if (to === '' || taken || !known) return pipeline;
    const lead = <T extends { node: string }>(end: T): T => (end.node === nodeId ? { ...end, node: to } : end);
    return {
      ...pipeline,
      nodes: pipeline.nodes.map((node) => (node.id === nodeId ? { ...node, id: to } : node)),
      edges: pipeline.edges.map((edge) => ({ ...edge, from: lead(edge.from), to: lead(edge.to) })),
    };
  },
};

import type { PipelineEdge, PipelineNode } from '@/server/core/pipeline/document';
import { freshIds } from '../graph';
import type { BuilderAction } from './action';

interface PasteArgs {
  nodes: readonly PipelineNode[];
  /** Inner edges; an edge with an end outside `nodes` is left out. */
  edges: readonly PipelineEdge[];
  /** Added to every position. */
  offset: { x: number; y: number };
}

/** Adds copies under new ids, with the edges among them. */
export const paste: BuilderAction<PasteArgs> = {
  id: 'paste',
  label: 'Paste',
  shortcut: 'Ctrl V',
  coalesceKey: null,
  apply(pipeline, { nodes, edges, offset }) {
    if (nodes.length === 0) return pipeline;
    const ids = freshIds(pipeline, nodes);
    const copies = nodes.map((node) => ({
      ...structuredClone(node),
      id: ids.get(node.id) ?? node.id,
      position: { x: (node.position?.x ?? 0) + offset.x, y: (node.position?.y ?? 0) + offset.y },
    }));
    const inner = edges.flatMap((edge) => {
      const from = ids.get(edge.from.node);
      const to = ids.get(edge.to.node);
      return from && to ? [{ from: { node: from, port: edge.from.port }, to: { node: to, port: edge.to.port } }] : [];
    });
    return { ...pipeline, nodes: [...pipeline.nodes, ...copies], edges: [...pipeline.edges, ...inner] };
  },
};

import type { Pipeline, PipelineEdge, PipelineNode } from '@/server/core/pipeline/document';

/** An edge's identity on the canvas: its two ends. */
export const edgeId = ({ from, to }: PipelineEdge): string => `${from.node}:${from.port}>${to.node}:${to.port}`;

/** A readable id that no node has: `kv-precision`, then `kv-precision-2`. `taken` are ids given away in the same step. */
export function freshId(pipeline: Pipeline, wanted: string, taken: ReadonlySet<string> = new Set()): string {
  const used = new Set(pipeline.nodes.map((node) => node.id));
  const stem = wanted.replace(/-\d+$/, '');
  for (let n = 1; ; n += 1) {
    const id = n === 1 ? stem : `${stem}-${n}`;
    if (!used.has(id) && !taken.has(id)) return id;
  }
}

/** Old id → new id for nodes that are about to be added. */
export function freshIds(pipeline: Pipeline, nodes: readonly PipelineNode[]): Map<string, string> {
  const ids = new Map<string, string>();
  const taken = new Set<string>();
  for (const node of nodes) {
    const id = freshId(pipeline, node.id, taken);
    taken.add(id);
    ids.set(node.id, id);
  }
  return ids;
}

/** Edges with both ends among the nodes. */
export const innerEdges = (pipeline: Pipeline, nodeIds: ReadonlySet<string>): PipelineEdge[] =>
  pipeline.edges.filter((edge) => nodeIds.has(edge.from.node) && nodeIds.has(edge.to.node));

/** Column pitch and row pitch of nodes that have no place yet. */
const GRID = { x: 200, y: 96, columns: 5 } as const;

/** Where a node is drawn: its own position, or a place in a grid for foreign files that hold none. */
export const placeOf = (node: PipelineNode, index: number): { x: number; y: number } =>
  node.position ?? { x: (index % GRID.columns) * GRID.x, y: Math.floor(index / GRID.columns) * GRID.y };

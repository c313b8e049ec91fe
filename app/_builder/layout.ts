import dagre from '@dagrejs/dagre';
import type { Pipeline } from '@/server/core/pipeline/document';
import type { Positions } from './actions/move';
import { nodeTypeOf } from './catalog';

/** Width of every node, px at 100 %: fixed, so that columns align. */
export const NODE_WIDTH = 168;
const DEFAULT_HEIGHT = 64;
const SNAP = 8;

const snapped = (value: number): number => Math.round(value / SNAP) * SNAP;

const SINK = '\u0000sink';
const SINK_PULL = 50;

/** Puts all deployments in one last column, whatever the length of what leads to them. */
function alignSinks(graph: InstanceType<typeof dagre.graphlib.Graph>, pipeline: Pipeline): void {
  const sinks = pipeline.nodes.filter((node) => nodeTypeOf(node.type)?.stage === 'sink');
  if (sinks.length === 0) return;
  graph.setNode(SINK, { width: 1, height: 1 });
  for (const { id } of sinks) graph.setEdge(id, SINK, { weight: SINK_PULL });
}

/** Places of all nodes, left to right along the edges; the same document gives the same places. */
export function layOutPositions(pipeline: Pipeline, heights: Readonly<Record<string, number>>): Positions {
  const graph = new dagre.graphlib.Graph();
  graph.setGraph({ rankdir: 'LR', nodesep: 24, ranksep: 56, marginx: 0, marginy: 0 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const node of pipeline.nodes) {
    graph.setNode(node.id, { width: NODE_WIDTH, height: heights[node.id] ?? DEFAULT_HEIGHT });
  }
  alignSinks(graph, pipeline);
  const known = new Set(pipeline.nodes.map((node) => node.id));
  for (const { from, to } of pipeline.edges) {
    if (known.has(from.node) && known.has(to.node)) graph.setEdge(from.node, to.node);
  }
  dagre.layout(graph);
  return Object.fromEntries(
    pipeline.nodes.map((node) => {
      const place = graph.node(node.id);
      const height = heights[node.id] ?? DEFAULT_HEIGHT;
      return [node.id, { x: snapped(place.x - NODE_WIDTH / 2), y: snapped(place.y - height / 2) }];
    }),
  );
}

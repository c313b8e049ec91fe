import { findNodeType } from '../catalog/find-node-type';
import type { Pipeline, PipelineEdge, PipelineNode } from './document';
import { edgeKey, groupBy } from './edges';

/** The graph that takes part: bypassed nodes are gone and what entered them goes on to where they led. */
export interface ActiveGraph {
  nodes: Map<string, PipelineNode>;
  /** By the id of the node that they enter, in document order. Both ends exist and are active. */
  incoming: Map<string, PipelineEdge[]>;
  outgoing: Map<string, PipelineEdge[]>;
}

/**
 * Edges that arrive in place of one edge. A bypassed node passes on what enters the input with the name of the
 * output (weights in, weights out); other inputs, a draft model say, drop out with it.
 */
function resolveEdge(
  edge: PipelineEdge,
  incoming: Map<string, PipelineEdge[]>,
  bypassed: ReadonlySet<string>,
): PipelineEdge[] {
  const found: PipelineEdge[] = [];
  const seen = new Set<string>();
  const open = [edge];
  for (let at = open.shift(); at; at = open.shift()) {
    if (!bypassed.has(at.from.node)) {
      found.push({ from: at.from, to: edge.to });
      continue;
    }
    if (seen.has(at.from.node)) continue;
    seen.add(at.from.node);
    const port = at.from.port;
    open.unshift(...(incoming.get(at.from.node) ?? []).filter((before) => before.to.port === port));
  }
  return found;
}

/** Bypass is "unset": the graph as if the bypassed nodes were wires. Edges to missing nodes are left out. */
export function activeGraph(pipeline: Pipeline): ActiveGraph {
  const all = new Map(pipeline.nodes.map((node) => [node.id, node]));
  const bypassed = new Set(pipeline.nodes.filter((node) => node.bypassed === true).map((node) => node.id));
  const whole = pipeline.edges.filter((edge) => all.has(edge.from.node) && all.has(edge.to.node));
  const before = groupBy(whole, (edge) => edge.to.node);
  const edges = whole
    .filter((edge) => !bypassed.has(edge.to.node))
    .flatMap((edge) => resolveEdge(edge, before, bypassed));
  const unique = [...new Map(edges.map((edge) => [edgeKey(edge), edge])).values()];
  return {
    nodes: new Map([...all].filter(([id]) => !bypassed.has(id))),
    incoming: groupBy(unique, (edge) => edge.to.node),
    outgoing: groupBy(unique, (edge) => edge.from.node),
  };
}

/** Ids of the nodes from which a deployment that takes part can be reached, those deployments included. */
export function participants(graph: ActiveGraph): Set<string> {
  const open = [...graph.nodes.values()].filter((node) => findNodeType(node.type)?.stage === 'sink').map((n) => n.id);
  const found = new Set(open);
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    for (const edge of graph.incoming.get(id) ?? []) {
      if (found.has(edge.from.node)) continue;
      found.add(edge.from.node);
      open.push(edge.from.node);
    }
  }
  return found;
}

/** Nodes that only a bypassed node needed: they take no part either, and the canvas shows them so. */
export function bypassedWith(pipeline: Pipeline): Set<string> {
  const everything = { ...pipeline, nodes: pipeline.nodes.map((node) => ({ ...node, bypassed: false })) };
  const active = participants(activeGraph(pipeline));
  return new Set([...participants(activeGraph(everything))].filter((id) => !active.has(id)));
}

import { findNodeType } from '../catalog/find-node-type';
import type { Pipeline, PipelineEdge, PipelineNode, PortRef } from './document';
import { edgeKey, groupBy, portKey } from './edges';

/** The graph that takes part: bypassed nodes are gone and what entered them goes on to where they led. */
export interface ActiveGraph {
  nodes: Map<string, PipelineNode>;
  /** By the id of the node that they enter, in document order. Both ends exist and are active. */
  incoming: Map<string, PipelineEdge[]>;
  outgoing: Map<string, PipelineEdge[]>;
}

/**
 * Outputs of bypassed nodes at which something arrives that enters bypassed inputs: a bypassed node passes on what
 * enters the input with the name of the output (weights in, weights out). Other inputs, a draft model say, drop out.
 */
function arrivesAt(entering: readonly PortRef[], outgoing: Map<string, PipelineEdge[]>): Set<string> {
  const found = new Set<string>();
  const open = [...entering];
  for (let at = open.pop(); at; at = open.pop()) {
    const key = portKey(at);
    if (found.has(key)) continue;
    found.add(key);
    open.push(...(outgoing.get(key) ?? []).map((edge) => edge.to));
  }
  return found;
}

/** Edges between active nodes: those that were drawn, and those that lead through bypassed nodes. In document order. */
function resolveEdges(edges: readonly PipelineEdge[], bypassed: ReadonlySet<string>): PipelineEdge[] {
  if (bypassed.size === 0) return [...edges];
  const inner = edges.filter((edge) => bypassed.has(edge.from.node));
  const between = groupBy(
    inner.filter((edge) => bypassed.has(edge.to.node)),
    (edge) => portKey(edge.from),
  );
  const leaving = edges.flatMap((edge, index) =>
    bypassed.has(edge.from.node) && !bypassed.has(edge.to.node) ? [{ edge, index, key: portKey(edge.from) }] : [],
  );
  const entering = groupBy(
    edges.filter((edge) => !bypassed.has(edge.from.node) && bypassed.has(edge.to.node)),
    (edge) => portKey(edge.from),
  );
  const resolved = edges.flatMap((edge, index) =>
    bypassed.has(edge.from.node) || bypassed.has(edge.to.node) ? [] : [{ edge, index }],
  );
  for (const drawn of entering.values()) {
    const reached = arrivesAt(
      drawn.map((edge) => edge.to),
      between,
    );
    const from = drawn[0]?.from;
    for (const { edge, index, key } of leaving) {
      if (from && reached.has(key)) resolved.push({ edge: { from, to: edge.to }, index });
    }
  }
  return resolved.sort((a, b) => a.index - b.index).map(({ edge }) => edge);
}

/** Bypass is "unset": the graph as if the bypassed nodes were wires. Edges to missing nodes are left out. */
export function activeGraph(pipeline: Pipeline): ActiveGraph {
  const all = new Map(pipeline.nodes.map((node) => [node.id, node]));
  const bypassed = new Set(pipeline.nodes.filter((node) => node.bypassed === true).map((node) => node.id));
  const whole = pipeline.edges.filter((edge) => all.has(edge.from.node) && all.has(edge.to.node));
  const edges = resolveEdges(whole, bypassed);
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
  if (!pipeline.nodes.some((node) => node.bypassed === true)) return new Set();
  const everything = { ...pipeline, nodes: pipeline.nodes.map((node) => ({ ...node, bypassed: false })) };
  const active = participants(activeGraph(pipeline));
  return new Set([...participants(activeGraph(everything))].filter((id) => !active.has(id)));
}

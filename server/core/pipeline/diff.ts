import { canonicalText } from '../plan/canonical';
import type { Pipeline, PipelineEdge, PipelineNode } from './document';
import { edgeKey } from './edges';

export interface NodeChange {
  nodeId: string;
  /** Parameters with other values: absent is undefined. */
  params: { field: string; before: unknown; after: unknown }[];
  /** Other properties that differ: type, bypassed, position, … */
  properties: string[];
}

/** What differs between two documents, node by node and edge by edge, in document order. */
export interface PipelineDiff {
  addedNodes: PipelineNode[];
  removedNodes: PipelineNode[];
  changedNodes: NodeChange[];
  addedEdges: PipelineEdge[];
  removedEdges: PipelineEdge[];
}

const differs = (a: unknown, b: unknown): boolean => canonicalText(a) !== canonicalText(b);
const own = (object: object, key: string): unknown =>
  Object.hasOwn(object, key) ? (object as Record<string, unknown>)[key] : undefined;

function keysOf(a: object, b: object): string[] {
  return [...new Set([...Object.keys(a), ...Object.keys(b)])];
}

function changeOf(before: PipelineNode, after: PipelineNode): NodeChange | null {
  const params = keysOf(before.params, after.params)
    .filter((field) => differs(own(before.params, field), own(after.params, field)))
    .map((field) => ({ field, before: own(before.params, field), after: own(after.params, field) }));
  const properties = keysOf(before, after).filter(
    (key) => key !== 'params' && differs(own(before, key), own(after, key)),
  );
  return params.length + properties.length > 0 ? { nodeId: after.id, params, properties } : null;
}

/** From `before` to `after`. Edges count as a set; the order of nodes does not matter. */
export function diffPipelines(before: Pipeline, after: Pipeline): PipelineDiff {
  const old = new Map(before.nodes.map((node) => [node.id, node]));
  const kept = new Set(after.nodes.map((node) => node.id));
  const [oldEdges, newEdges] = [before, after].map((p) => new Set(p.edges.map(edgeKey)));
  return {
    addedNodes: after.nodes.filter((node) => !old.has(node.id)),
    removedNodes: before.nodes.filter((node) => !kept.has(node.id)),
    changedNodes: after.nodes.flatMap((node) => {
      const previous = old.get(node.id);
      return (previous && changeOf(previous, node)) ?? [];
    }),
    addedEdges: after.edges.filter((edge) => !oldEdges?.has(edgeKey(edge))),
    removedEdges: before.edges.filter((edge) => !newEdges?.has(edgeKey(edge))),
  };
}

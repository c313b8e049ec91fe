import { canConnect } from '@/server/core/pipeline/can-connect';
import type { Pipeline, PipelineEdge, PipelineNode } from '@/server/core/pipeline/document';
import { nodeTypeOf } from './catalog';
import type { OpenPort } from './ui-store';

export const portKey = (node: string, port: string): string => `${node}:${port}`;

/** The edge between an open port and another one, in the direction of the flow. */
export const edgeBetween = (from: OpenPort, node: string, port: string): PipelineEdge => {
  const open = { node: from.node, port: from.port };
  const other = { node, port };
  return from.side === 'source' ? { from: open, to: other } : { from: other, to: open };
};

/** Why the edge cannot be, in words; null where it can. */
export function refusalOf(pipeline: Pipeline, edge: PipelineEdge): string | null {
  const answer = canConnect(pipeline, edge);
  return answer.ok ? null : answer.reason;
}

const portsFacing = (node: PipelineNode, from: OpenPort): string[] => {
  const type = nodeTypeOf(node.type);
  if (!type) return [];
  return (from.side === 'source' ? type.inputs : type.outputs).map((port) => port.id);
};

/** Every port that faces the open one, with the reason why it cannot take the edge or null. */
export function refusalsFor(pipeline: Pipeline, from: OpenPort): Map<string, string | null> {
  const refusals = new Map<string, string | null>();
  for (const node of pipeline.nodes) {
    for (const port of portsFacing(node, from)) {
      refusals.set(portKey(node.id, port), refusalOf(pipeline, edgeBetween(from, node.id, port)));
    }
  }
  return refusals;
}

/** The first port of a node that is not in the document yet to which the open port can be tied, or null. */
export function portForNewNode(pipeline: Pipeline, from: OpenPort, node: PipelineNode): string | null {
  const withNode = { ...pipeline, nodes: [...pipeline.nodes, node] };
  return portsFacing(node, from).find((port) => refusalOf(withNode, edgeBetween(from, node.id, port)) === null) ?? null;
}

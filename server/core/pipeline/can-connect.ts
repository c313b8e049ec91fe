import { findNodeType } from '../catalog/find-node-type';
import type { InputPort, NodeType, OutputPort } from '../catalog/node-type';
import type { Pipeline, PipelineEdge } from './document';
import { groupBy, sameEdge } from './edges';

export type Connectable = { ok: true } | { ok: false; reason: string };

/** Stages in their order; an edge never runs from a later one to an earlier one. */
export const STAGES: readonly NodeType['stage'][] = [
  'source',
  'weights',
  'attention',
  'kv-cache',
  'decoding',
  'serving',
  'sink',
];
const STAGE_TITLES: Record<NodeType['stage'], string> = {
  source: 'sources',
  weights: 'weights',
  attention: 'attention',
  'kv-cache': 'KV cache',
  decoding: 'decoding',
  serving: 'serving',
  sink: 'deployment',
};

export interface EdgeFault {
  code: 'unknown-port' | 'port-kind' | 'stage-reversed';
  /** End of the edge that is at fault. */
  at: 'from' | 'to';
  reason: string;
}

const unknownPort = (at: 'from' | 'to', type: NodeType, port: string): EdgeFault => ({
  code: 'unknown-port',
  at,
  reason: `${type.title} has no ${at === 'from' ? 'output' : 'input'} "${port}".`,
});

function kindFault(output: OutputPort, input: InputPort): EdgeFault | null {
  if (input.accepts.includes(output.gives)) return null;
  const reason = `"${input.label}" takes ${input.accepts.join(' or ')}, not ${output.gives}.`;
  return { code: 'port-kind', at: 'to', reason };
}

function stageFault(from: NodeType, to: NodeType): EdgeFault | null {
  if (STAGES.indexOf(from.stage) <= STAGES.indexOf(to.stage)) return null;
  const reason = `${to.title} (${STAGE_TITLES[to.stage]}) comes before ${from.title} (${STAGE_TITLES[from.stage]}).`;
  return { code: 'stage-reversed', at: 'to', reason };
}

/** What speaks against an edge between two node types: ports, kinds, stages. Null types are unknown: not judged. */
export function edgeFault(from: NodeType | null, to: NodeType | null, edge: PipelineEdge): EdgeFault | null {
  const output = from?.outputs.find((port) => port.id === edge.from.port);
  const input = to?.inputs.find((port) => port.id === edge.to.port);
  if (from && !output) return unknownPort('from', from, edge.from.port);
  if (to && !input) return unknownPort('to', to, edge.to.port);
  if (!from || !to || !output || !input) return null;
  // A port into another scope (the draft's) starts a chain of its own: stages are ordered within one scope.
  return kindFault(output, input) ?? (input.scope === 'target' ? stageFault(from, to) : null);
}

function reaches(edges: readonly PipelineEdge[], start: string, goal: string): boolean {
  const outgoing = groupBy(edges, (edge) => edge.from.node);
  const seen = new Set([start]);
  const open = [start];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (id === goal) return true;
    for (const edge of outgoing.get(id) ?? []) {
      if (seen.has(edge.to.node)) continue;
      seen.add(edge.to.node);
      open.push(edge.to.node);
    }
  }
  return false;
}

/** Whether the editor may draw this edge; the reason is a sentence for people. */
export function canConnect(pipeline: Pipeline, edge: PipelineEdge): Connectable {
  const refuse = (reason: string): Connectable => ({ ok: false, reason });
  const source = pipeline.nodes.find((node) => node.id === edge.from.node);
  const target = pipeline.nodes.find((node) => node.id === edge.to.node);
  if (!source || !target) return refuse('The node is gone.');
  const fault = edgeFault(findNodeType(source.type), findNodeType(target.type), edge);
  if (fault) return refuse(fault.reason);
  if (pipeline.edges.some((other) => sameEdge(other, edge))) return refuse('They are connected already.');
  if (reaches(pipeline.edges, edge.to.node, edge.from.node)) return refuse('That would close a circle.');
  return { ok: true };
}

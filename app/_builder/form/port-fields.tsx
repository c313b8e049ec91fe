'use client';

import { X } from 'lucide-react';
import { Button } from '@/app/_ui/button';
import { Select } from '@/app/_ui/select';
import type { InputPort } from '@/server/core/catalog/node-type';
import type { Pipeline, PipelineEdge, PipelineNode } from '@/server/core/pipeline/document';
import { connect } from '../actions/connect';
import { remove } from '../actions/remove';
import { useBuilder, useDocument } from '../builder-context';
import { nodeTypeOf, titleOf } from '../catalog';
import { refusalOf } from '../connect-rules';
import { edgeId } from '../graph';

/** Where a node's inputs come from: the edges of the graph as lists. */
export function PortFields({ node }: { node: PipelineNode }) {
  const pipeline = useDocument((state) => state.pipeline);
  const type = nodeTypeOf(node.type);
  const known = type?.inputs ?? [];
  const foreign = pipeline.edges.filter(
    (edge) => edge.to.node === node.id && !known.some((port) => port.id === edge.to.port),
  );
  return (
    <>
      {known.map((port) => (
        <PortField key={port.id} pipeline={pipeline} node={node} port={port} />
      ))}
      {foreign.length > 0 ? <Sources label="Other inputs" pipeline={pipeline} edges={foreign} /> : null}
    </>
  );
}

function candidates(pipeline: Pipeline, node: PipelineNode, port: InputPort): PipelineEdge[] {
  return pipeline.nodes.flatMap((source) =>
    (nodeTypeOf(source.type)?.outputs ?? [])
      .map((output) => ({ from: { node: source.id, port: output.id }, to: { node: node.id, port: port.id } }))
      .filter((edge) => refusalOf(pipeline, edge) === null),
  );
}

function PortField({ pipeline, node, port }: { pipeline: Pipeline; node: PipelineNode; port: InputPort }) {
  const { document } = useBuilder();
  const edges = pipeline.edges.filter((edge) => edge.to.node === node.id && edge.to.port === port.id);
  const possible = candidates(pipeline, node, port).filter(
    (edge) => !edges.some((other) => edgeId(other) === edgeId(edge)),
  );
  const options = possible.map((edge) => ({ value: edgeId(edge), label: nameOf(pipeline, edge) }));
  return (
    <div className="flex flex-wrap items-center gap-2 text-xs">
      <Sources label={`${port.label}${port.required ? '' : ' (optional)'} from`} pipeline={pipeline} edges={edges} />
      {options.length > 0 ? (
        <Select
          aria-label={`${port.label} of ${node.id}: add a source`}
          className="w-44"
          value=""
          options={[{ value: '', label: edges.length > 0 ? 'or from…' : 'connect…' }, ...options]}
          onValueChange={(id) => {
            const edge = possible.find((other) => edgeId(other) === id);
            if (edge) document.dispatch(connect, edge);
          }}
        />
      ) : null}
      {edges.length === 0 && options.length === 0 ? <span className="text-dim">nothing that fits yet</span> : null}
    </div>
  );
}

const nameOf = (pipeline: Pipeline, edge: PipelineEdge): string => {
  const source = pipeline.nodes.find((node) => node.id === edge.from.node);
  return source ? `${titleOf(source)} (${source.id})` : edge.from.node;
};

function Sources({ label, pipeline, edges }: { label: string; pipeline: Pipeline; edges: readonly PipelineEdge[] }) {
  const { document } = useBuilder();
  return (
    <>
      <span className="text-dim">{label}</span>
      {edges.map((edge) => (
        <span key={edgeId(edge)} className="flex items-center gap-1 rounded-full border border-line-strong pl-2">
          {nameOf(pipeline, edge)}
          <Button
            tone="quiet"
            className="size-5 rounded-full p-0"
            aria-label={`Disconnect ${nameOf(pipeline, edge)}`}
            onClick={() => document.dispatch(remove, { nodeIds: [], edgeIds: [edgeId(edge)] })}
          >
            <X aria-hidden />
          </Button>
        </span>
      ))}
    </>
  );
}

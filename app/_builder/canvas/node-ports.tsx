'use client';

import { Handle, Position } from '@xyflow/react';
import { cn } from '@/app/_ui/cn';
import type { InputPort, NodeType, OutputPort, PortKind } from '@/server/core/catalog/node-type';
import type { PipelineNode } from '@/server/core/pipeline/document';
import { useDocument, useUi } from '../builder-context';
import { familyColor } from '../catalog';
import { portKey } from '../connect-rules';

/**
 * Shape says the kind, colour the family: weights are round, serving is square, all else a diamond. The area that
 * takes the pointer stays upright, else a diamond's would cover its neighbours.
 */
const shapeOf = (kinds: readonly PortKind[]): string => {
  if (kinds.includes('serving')) return 'rounded-[2px]';
  return kinds.includes('weights') ? 'rounded-full' : 'rotate-45 rounded-[1px] before:-rotate-45';
};

interface PortView {
  id: string;
  label: string;
  side: 'target' | 'source';
  kinds: readonly PortKind[];
  required: boolean;
  /** Place from the top, percent. */
  top: number;
}

const spread = (count: number, index: number): number => ((index + 1) / (count + 1)) * 100;

const inputView = (port: InputPort, index: number, all: readonly InputPort[]): PortView => ({
  id: port.id,
  label: port.label,
  side: 'target',
  kinds: port.accepts,
  required: port.required,
  top: spread(all.length, index),
});
const outputView = (port: OutputPort, index: number, all: readonly OutputPort[]): PortView => ({
  id: port.id,
  label: port.label,
  side: 'source',
  kinds: [port.gives],
  required: false,
  top: spread(all.length, index),
});

/** Ports that edges of the document use and the type does not have: an unknown type, or a foreign file. */
function useForeignPorts(nodeId: string, known: ReadonlySet<string>): PortView[] {
  const text = useDocument(({ pipeline }) => {
    const ins = pipeline.edges.filter((edge) => edge.to.node === nodeId).map((edge) => `target ${edge.to.port}`);
    const outs = pipeline.edges.filter((edge) => edge.from.node === nodeId).map((edge) => `source ${edge.from.port}`);
    return [...new Set([...ins, ...outs])].filter((key) => !known.has(key)).join('\n');
  });
  const keys = text === '' ? [] : text.split('\n');
  return keys.map((key) => {
    const [side, ...rest] = key.split(' ');
    const same = keys.filter((other) => other.startsWith(`${side} `));
    return {
      id: rest.join(' '),
      label: rest.join(' '),
      side: side === 'source' ? 'source' : 'target',
      kinds: [],
      required: false,
      top: spread(same.length, same.indexOf(key)),
    };
  });
}

export function NodePorts({ nodeId, type, node }: { nodeId: string; type: NodeType | null; node: PipelineNode }) {
  const known = type ? [...type.inputs.map(inputView), ...type.outputs.map(outputView)] : [];
  const foreign = useForeignPorts(nodeId, new Set(known.map((port) => `${port.side} ${port.id}`)));
  return [...known, ...foreign].map((port) => (
    <NodePort
      key={`${port.side} ${port.id}`}
      nodeId={nodeId}
      port={port}
      color={familyColor(type?.family ?? null)}
      bypassed={node.bypassed === true}
    />
  ));
}

interface NodePortProps {
  nodeId: string;
  port: PortView;
  color: string;
  bypassed: boolean;
}

function NodePort({ nodeId, port, color, bypassed }: NodePortProps) {
  const refusal = useUi(({ connecting }) =>
    connecting ? connecting.refusals.get(portKey(nodeId, port.id)) : undefined,
  );
  const label = `${port.label}${port.side === 'target' && !port.required ? ' (optional)' : ''}`;
  return (
    <Handle
      id={port.id}
      type={port.side}
      position={port.side === 'target' ? Position.Left : Position.Right}
      title={typeof refusal === 'string' ? refusal : label}
      style={{ top: `${port.top}%`, borderColor: color, background: 'var(--panel)' }}
      className={cn(
        'group/port size-2! border-[1.5px]! before:absolute before:-inset-x-2 before:-inset-y-[3px] before:content-[""]',
        shapeOf(port.kinds),
        bypassed && 'opacity-50!',
        refusal === null && 'size-3! border-accent! bg-accent!',
        typeof refusal === 'string' && 'opacity-30!',
      )}
    >
      <span
        className={cn(
          'pointer-events-none absolute top-1/2 hidden -translate-y-1/2 rounded-sm border bg-panel px-1 text-2xs whitespace-nowrap text-dim group-hover/port:block',
          port.kinds.length > 0 && !port.kinds.includes('serving') && !port.kinds.includes('weights') && '-rotate-45',
          port.side === 'target' ? 'right-3.5' : 'left-3.5',
        )}
      >
        {label}
      </span>
    </Handle>
  );
}

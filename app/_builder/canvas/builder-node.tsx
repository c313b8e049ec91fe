'use client';

import { type NodeProps, useStore } from '@xyflow/react';
import { memo } from 'react';
import { cn } from '@/app/_ui/cn';
import { useUi } from '../builder-context';
import { familyColor, nodeTypeOf, titleOf } from '../catalog';
import { FamilyIcon } from '../family-icon';
import { nameOf, nodeRows } from '../node-view';
import type { CanvasNode } from './canvas-nodes';
import { FindingBadge } from './finding-badge';
import { NodePorts } from './node-ports';
import { RunStateLine } from './run-state-line';
import { useConnectState } from './use-connect-state';

/** Under this zoom only title and bar are drawn. */
const DETAIL_ZOOM = 0.5;
/** Room for one input port, px, so that the ports of a deployment can be told apart. */
const PORT_PITCH = 14;

export const BuilderNode = memo(function BuilderNode({ id, data, selected }: NodeProps<CanvasNode>) {
  const { node } = data;
  const type = nodeTypeOf(node.type);
  const family = type?.family ?? null;
  const detailed = useStore((state) => state.transform[2] >= DETAIL_ZOOM);
  const connect = useConnectState(id);
  const outsidePlan = useUi((state) => state.focusedPlan !== null && !state.focusedPlan.nodeIds.includes(id));
  const bypassed = node.bypassed === true;
  return (
    <div
      style={{ minHeight: (type?.inputs.length ?? 0) * PORT_PITCH }}
      className={cn(
        'group relative w-[168px] rounded-md border border-line-strong bg-panel text-xs transition-opacity',
        selected && 'border-accent ring-1 ring-accent',
        bypassed && 'border-dashed',
        (connect === 'refused' || outsidePlan) && 'opacity-35',
        connect === 'possible' && 'border-accent',
      )}
    >
      <span
        aria-hidden
        className="absolute inset-y-[-1px] left-[-1px] w-[3px] rounded-l-md"
        style={{ background: familyColor(family) }}
      />
      <NodePorts nodeId={id} type={type} node={node} />
      <div className={cn('grid grid-cols-[minmax(0,1fr)] gap-0.5 py-1.5 pr-2 pl-2.5', bypassed && 'opacity-55')}>
        <div className="flex items-center gap-1.5">
          <FamilyIcon family={family} type={node.type} />
          <span title={nameOf(node)} className={cn('min-w-0 flex-1 truncate font-medium', !detailed && 'text-base')}>
            {nameOf(node)}
          </span>
          <FindingBadge nodeId={id} />
        </div>
        {detailed ? <NodeBody node={node} known={type !== null} /> : null}
      </div>
      {detailed ? <RunStateLine nodeId={id} bypassed={bypassed} /> : null}
    </div>
  );
});

function NodeBody({ node, known }: { node: CanvasNode['data']['node']; known: boolean }) {
  return (
    <>
      {known ? null : <p className="text-warn">unknown type, kept as it is</p>}
      {nameOf(node) === titleOf(node) ? null : <p className="truncate text-2xs text-faint">{titleOf(node)}</p>}
      {nodeRows(node).map((row) => (
        <p key={row.label} className="flex items-baseline justify-between gap-2">
          <span className="mono min-w-0 truncate text-[11px]">{row.value}</span>
          <span className="max-w-[50%] shrink-0 truncate text-2xs text-faint">{row.label}</span>
        </p>
      ))}
    </>
  );
}

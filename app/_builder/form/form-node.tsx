'use client';

import { EyeOff, Trash2 } from 'lucide-react';
import { Button } from '@/app/_ui/button';
import type { PipelineNode } from '@/server/core/pipeline/document';
import { remove } from '../actions/remove';
import { toggleBypass } from '../actions/toggle-bypass';
import { useBuilder, useUi } from '../builder-context';
import { familyColor, nodeTypeOf, titleOf } from '../catalog';
import { FamilyIcon } from '../family-icon';
import { NodeParams } from '../inspector/node-params';
import { FindingItem } from '../problems/finding-item';
import { PortFields } from './port-fields';

/** One node as a form. */
export function FormNode({ node }: { node: PipelineNode }) {
  const { document } = useBuilder();
  const findings = useUi((state) => state.findingsByNode.get(node.id)) ?? [];
  const family = nodeTypeOf(node.type)?.family ?? null;
  const bypassed = node.bypassed === true;
  return (
    <article
      aria-label={`${titleOf(node)} ${node.id}`}
      className={`grid gap-3 rounded-md border border-l-3 bg-panel px-4 py-3 ${bypassed ? 'border-dashed' : ''}`}
      style={{ borderLeftColor: familyColor(family) }}
    >
      <header className="flex flex-wrap items-center gap-2">
        <FamilyIcon family={family} type={node.type} />
        <h3 className="font-medium">{titleOf(node)}</h3>
        <span className="mono text-dim">{node.id}</span>
        <span className="ml-auto flex gap-1">
          <Button
            size="sm"
            aria-pressed={bypassed}
            className="aria-pressed:border-accent aria-pressed:text-accent"
            onClick={() => document.dispatch(toggleBypass, { nodeIds: [node.id] })}
          >
            <EyeOff aria-hidden /> {bypassed ? 'Bypassed' : 'Bypass'}
          </Button>
          <Button
            size="sm"
            aria-label={`Delete ${node.id}`}
            onClick={() => document.dispatch(remove, { nodeIds: [node.id], edgeIds: [] })}
          >
            <Trash2 aria-hidden />
          </Button>
        </span>
      </header>
      {findings.map((finding) => (
        <FindingItem key={`${finding.code} ${finding.field} ${finding.message}`} finding={finding} />
      ))}
      <PortFields node={node} />
      <div className="grid gap-4 sm:grid-cols-2">
        <NodeParams node={node} />
      </div>
    </article>
  );
}

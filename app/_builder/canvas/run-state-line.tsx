'use client';

import type { NodeState } from '@/app/_runs/node-states';
import { cn } from '@/app/_ui/cn';
import { useUi } from '../builder-context';

const LOOKS: Readonly<Record<NodeState, { sign: string; tone: string }>> = {
  queued: { sign: '·', tone: 'text-faint' },
  running: { sign: '▸', tone: 'text-accent' },
  applied: { sign: '✓', tone: 'text-ok' },
  changed: { sign: '≠', tone: 'text-warn' },
  ignored: { sign: '∅', tone: 'text-warn' },
  unverified: { sign: '?', tone: 'text-dim' },
  failed: { sign: '✕', tone: 'text-error' },
};

/** What the latest run did with the node. A bypassed node takes no part. */
export function RunStateLine({ nodeId, bypassed }: { nodeId: string; bypassed: boolean }) {
  const run = useUi((state) => state.runStates.get(nodeId));
  if (bypassed) return <p className="border-t px-2.5 py-0.5 text-2xs text-dim">bypassed</p>;
  if (!run) return null;
  const look = LOOKS[run.state];
  return (
    <p className={cn('truncate border-t px-2.5 py-0.5 text-2xs', look.tone)} title={run.detail}>
      <span aria-hidden>{look.sign}</span> {run.state}
      {run.state === 'applied' || run.state === 'queued' ? null : <span className="text-dim"> · {run.detail}</span>}
    </p>
  );
}

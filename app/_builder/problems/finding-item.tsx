'use client';

import { CircleHelp, Info, OctagonX, TriangleAlert, Wrench } from 'lucide-react';
import { cn } from '@/app/_ui/cn';
import type { Finding } from '@/server/core/plan/finding';
import { applyEdits } from '../actions/apply-edits';
import { useBuilder, useDocument } from '../builder-context';
import { nameOf } from '../node-view';
import { revealNode } from '../ui-store';

const LOOKS = {
  error: { Icon: OctagonX, tone: 'text-error', line: 'border-l-error', word: 'Error' },
  warning: { Icon: TriangleAlert, tone: 'text-warn', line: 'border-l-warn-line', word: 'Warning' },
  info: { Icon: Info, tone: 'text-dim', line: 'border-l-line-strong', word: 'Note' },
} as const;

/** One finding: what, where, and the quick fix. A click shows the node. */
export function FindingItem({ finding, compact = false }: { finding: Finding; compact?: boolean }) {
  const { document, ui } = useBuilder();
  const node = useDocument((state) => state.pipeline.nodes.find((other) => other.id === finding.nodeId));
  const look = LOOKS[finding.severity];
  const Icon = finding.code === 'not-checked' ? CircleHelp : look.Icon;
  const { fix } = finding;
  return (
    <div className={cn('flex items-start gap-2 py-1', !compact && cn('rounded-md border border-l-3 px-2', look.line))}>
      <Icon role="img" aria-label={look.word} className={cn('mt-0.5 size-3.5 shrink-0', look.tone)} />
      <div className="min-w-0 flex-1 text-xs">
        <p className="text-ink [overflow-wrap:anywhere]">
          {node && compact ? (
            <button
              type="button"
              onClick={() => revealNode(ui, node.id, finding.field)}
              className="mr-1 text-accent underline-offset-2 hover:underline"
            >
              {nameOf(node)}
              {finding.field ? ` · ${finding.field}` : ''}
            </button>
          ) : null}
          {finding.message}
        </p>
        {finding.source && !compact ? <p className="break-all text-faint">{finding.source}</p> : null}
        {fix ? (
          <button
            type="button"
            onClick={() => document.dispatch(applyEdits, { edits: fix.edits })}
            className="inline-flex items-center gap-1 text-accent underline-offset-2 hover:underline"
          >
            <Wrench aria-hidden className="size-3" /> {fix.label}
          </button>
        ) : null}
      </div>
    </div>
  );
}

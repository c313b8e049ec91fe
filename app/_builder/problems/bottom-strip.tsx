'use client';

import { ChevronDown, ChevronUp, CircleCheck } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from '@/app/_ui/button';
import { cn } from '@/app/_ui/cn';
import { Term } from '@/app/_ui/term';
import type { Finding } from '@/server/core/plan/finding';
import { useUi } from '../builder-context';
import { FindingItem } from './finding-item';
import { PlanSummary } from './plan-summary';

const ORDER = { error: 0, warning: 1, info: 2 } as const;
const NONE: readonly Finding[] = [];

export interface FindingCounts {
  errors: number;
  warnings: number;
  notChecked: number;
}

export function countFindings(findings: readonly Finding[]): FindingCounts {
  const unchecked = findings.filter((finding) => finding.code === 'not-checked');
  return {
    errors: findings.filter((finding) => finding.severity === 'error').length,
    warnings: findings.filter((finding) => finding.severity === 'warning' && finding.code !== 'not-checked').length,
    notChecked: unchecked.length,
  };
}

/** Plans and problems under the canvas. */
export function BottomStrip() {
  const [open, setOpen] = useState(true);
  useEffect(() => {
    if (window.matchMedia('(max-width: 48rem)').matches) setOpen(false);
  }, []);
  const findings = useUi((state) => state.compiled?.findings) ?? NONE;
  const failure = useUi((state) => state.compileFailure);
  const counts = countFindings(findings);
  const Chevron = open ? ChevronDown : ChevronUp;
  return (
    <footer className="grid border-t bg-panel md:grid-cols-[minmax(0,1fr)_minmax(0,1.2fr)]">
      <PlanSummary open={open} />
      <section aria-label="Problems" className="min-w-0 border-t px-3 py-1.5 md:border-t-0 md:border-l">
        <div className="flex items-center gap-2">
          <h2 className="text-xs text-dim">
            <Term name="finding">Problems</Term>
          </h2>
          <Counts counts={counts} />
          <Button
            tone="quiet"
            size="icon"
            className="ml-auto h-6"
            aria-expanded={open}
            aria-label={open ? 'Fold plans and problems' : 'Unfold plans and problems'}
            onClick={() => setOpen(!open)}
          >
            <Chevron aria-hidden />
          </Button>
        </div>
        {failure ? (
          <p role="alert" className="text-xs text-error">
            The compiler stopped: {failure} Your edits are kept; undo the last one or report this.
          </p>
        ) : null}
        {open ? <FindingList findings={findings} /> : null}
      </section>
    </footer>
  );
}

function Counts({ counts }: { counts: FindingCounts }) {
  const parts = [
    {
      text: `${counts.errors} ${counts.errors === 1 ? 'error' : 'errors'}`,
      shown: counts.errors > 0,
      tone: 'text-error',
    },
    {
      text: `${counts.warnings} ${counts.warnings === 1 ? 'warning' : 'warnings'}`,
      shown: counts.warnings > 0,
      tone: 'text-warn',
    },
    { text: `${counts.notChecked} not checked`, shown: counts.notChecked > 0, tone: 'text-dim' },
  ].filter((part) => part.shown);
  if (parts.length === 0) {
    return (
      <p role="status" className="flex items-center gap-1 text-xs text-ok">
        <CircleCheck aria-hidden className="size-3.5" /> none
      </p>
    );
  }
  return (
    <p role="status" className="flex gap-2 text-xs">
      {parts.map((part) => (
        <span key={part.tone} className={part.tone}>
          {part.text}
        </span>
      ))}
    </p>
  );
}

function FindingList({ findings }: { findings: readonly Finding[] }) {
  const sorted = [...findings].sort((a, b) => ORDER[a.severity] - ORDER[b.severity]);
  return (
    <ul aria-label="Findings" className={cn('h-[92px] overflow-y-auto max-md:h-auto max-md:max-h-28')}>
      {sorted.map((finding) => (
        <li key={`${finding.code} ${finding.nodeId} ${finding.field} ${finding.message}`}>
          <FindingItem finding={finding} compact />
        </li>
      ))}
    </ul>
  );
}

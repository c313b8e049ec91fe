'use client';

import Link from 'next/link';
import { Badge } from '@/app/_ui/badge';
import { Button } from '@/app/_ui/button';
import { TabList } from '@/app/_ui/tabs';
import { CancelButton } from './cancel-button';
import { RunExportButton } from './export/run-export-button';
import { StampBadge } from './stamp-badge';
import type { RunTab } from './view-state';
import type { ExperimentDetail } from './views';

const GRADE: Record<string, string> = {
  A: 'All checks passed in every block.',
  B: 'Some checks were skipped or some trials are marked.',
  C: 'Few blocks, or checks that speak against the figures.',
  invalid: 'The figures break a check; they are out of every best.',
};

/** The worst grade of the figures that stand; a plan without any says so in its own row. Invalid where none stands. */
function gradeOf(detail: ExperimentDetail): string | null {
  const grades = detail.report?.deployments.flatMap((d) => d.results.map((r) => r.trust.grade)) ?? [];
  return ['C', 'B', 'A', 'invalid'].find((grade) => grades.some((g) => g === grade)) ?? null;
}

export function RunHeader({ detail, running }: { detail: ExperimentDetail; running: boolean }) {
  // While it runs, a plan without a whole block has no grade yet.
  const grade = running ? null : gradeOf(detail);
  const tabs: { value: RunTab; label: string }[] = [
    { value: 'overview', label: 'Overview' },
    { value: 'load', label: 'Load' },
    { value: 'quality', label: 'Quality' },
    { value: 'trials', label: `Trials ${detail.trials.length}` },
    { value: 'plan', label: 'Plan' },
  ];
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b bg-panel px-4 py-1.5">
      <nav aria-label="Breadcrumb" className="flex min-w-0 items-center gap-2">
        <Link href="/experiments" className="text-dim hover:text-ink">
          Experiments
        </Link>
        <span aria-hidden className="text-faint">
          /
        </span>
        <h1 className="truncate text-sm font-medium">
          {detail.title} <span className="mono text-faint">#{detail.number}</span>
        </h1>
      </nav>
      {detail.report ? <StampBadge stamp={detail.report.stamp} /> : null}
      {grade ? (
        <span title={GRADE[grade]}>
          <Badge tone={grade === 'invalid' ? 'error' : 'neutral'}>trust {grade}</Badge>
        </span>
      ) : null}
      <TabList
        label="Views of the experiment"
        items={tabs}
        className="order-last w-full sm:order-none sm:mx-auto sm:w-auto"
      />
      <div className="ml-auto flex flex-wrap items-center gap-2 sm:ml-0">
        {detail.pipelineId ? (
          <Button asChild>
            <Link href={`/pipelines/${detail.pipelineId}`}>Open the graph</Link>
          </Button>
        ) : null}
        <RunExportButton detail={detail} />
        {running ? <CancelButton id={detail.id} requested={detail.cancelRequested} /> : null}
      </div>
    </div>
  );
}

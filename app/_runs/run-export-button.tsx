'use client';

import Link from 'next/link';
import { Button } from '@/app/_ui/button';
import type { ExperimentDetail } from './views';

/** Opens the exporters on the plan that won, or on the baseline where nothing did. */
export function RunExportButton({ detail }: { detail: ExperimentDetail }) {
  if (!detail.pipelineId || !detail.report) return null;
  const best = detail.report.best?.deployment ?? detail.spec.arms[0]?.deployment;
  if (!best) return null;
  const query = new URLSearchParams({ export: best, experiment: detail.id });
  return (
    <Button asChild>
      <Link href={`/pipelines/${detail.pipelineId}?${query}`}>
        Export {detail.report.best ? 'the winner' : 'a plan'}
      </Link>
    </Button>
  );
}

'use client';

import dynamic from 'next/dynamic';
import { parseAsBoolean, useQueryState } from 'nuqs';
import { Button } from '@/app/_ui/button';
import { Dialog } from '@/app/_ui/dialog';
import { Loading } from '@/app/_ui/loading';
import type { ExperimentDetail } from '../views';

/** Exporters are loaded when first needed. */
const RunExportPanel = dynamic(() => import('./run-export-panel').then((module) => module.RunExportPanel), {
  loading: () => <Loading what="the exporters" />,
});

/** The plans as they were frozen and measured, as files to deploy; opens on the winner. */
export function RunExportButton({ detail }: { detail: ExperimentDetail }) {
  const [open, setOpen] = useQueryState('export', parseAsBoolean.withDefault(false));
  if (!detail.report) return null;
  const winner = detail.report.best?.deployment ?? null;
  return (
    <>
      <Button onClick={() => void setOpen(true)}>{winner ? 'Export the winner' : 'Export a plan'}</Button>
      <Dialog
        open={open}
        onOpenChange={(next) => void setOpen(next || null)}
        title="Export"
        description="The plans of this experiment as they ran, whatever became of the graph since."
        className="max-w-4xl"
      >
        {open ? <RunExportPanel plans={detail.spec.arms} workloads={detail.spec.workloads} winner={winner} /> : null}
      </Dialog>
    </>
  );
}

'use client';

import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTRPC } from '@/app/_trpc/api';
import { Loading } from '@/app/_ui/loading';
import { Problem } from '@/app/_ui/problem';
import type { Finding } from '@/server/core/plan/finding';
import type { Plan } from '@/server/core/plan/plan';
import type { Workload } from '@/server/core/workload/workload';
import { ExportedFile } from './exported-file';
import { renderExport } from './render-export';

interface Props {
  plan: Plan;
  exporterId: string;
  workloads: readonly Workload[];
  /** How this page shows a finding. */
  showFinding: (finding: Finding) => ReactNode;
}

/** The files of one plan in one form, made here in the browser with the evidence that the server holds. */
export function PlanFiles({ plan, exporterId, workloads, showFinding }: Props) {
  const trpc = useTRPC();
  const evidence = useQuery(trpc.exports.evidence.queryOptions({ planHash: plan.planHash }));
  if (evidence.isPending) return <Loading what="the measurements of this plan" />;
  const exported = renderExport(plan, exporterId, evidence.data ?? null, workloads);
  return (
    <>
      {evidence.isError ? (
        <Problem title="The measurements could not be read.">
          {evidence.error.message} The file says that it was not measured.
        </Problem>
      ) : null}
      {exported.findings.length > 0 ? (
        <ul aria-label="What to know about these files" className="grid max-h-40 gap-1 overflow-y-auto">
          {exported.findings.map((finding) => (
            <li key={`${finding.code} ${finding.field} ${finding.message}`}>{showFinding(finding)}</li>
          ))}
        </ul>
      ) : null}
      {exported.files.map((file) => (
        <ExportedFile key={file.path} {...file} />
      ))}
    </>
  );
}

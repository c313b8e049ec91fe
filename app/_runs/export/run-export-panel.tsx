'use client';

import { PlanExport } from '@/app/_export/plan-export';
import type { Finding } from '@/server/core/plan/finding';
import type { Plan } from '@/server/core/plan/plan';
import type { Workload } from '@/server/core/workload/workload';

interface Props {
  plans: readonly Plan[];
  workloads: readonly Workload[];
  /** Deployment that the report crowned. */
  winner: string | null;
}

const WORDS: Readonly<Record<Finding['severity'], string>> = { error: 'Error', warning: 'Warning', info: 'Note' };

/** The plans as they were frozen and measured, as files to deploy. */
export const RunExportPanel = ({ plans, workloads, winner }: Props) => (
  <PlanExport
    plans={plans}
    initial={winner ?? plans[0]?.deployment ?? null}
    labelOf={(plan) => (plan.deployment === winner ? `${plan.label} (winner)` : plan.label)}
    workloads={workloads}
    showFinding={({ severity, message }) => (
      <p className="text-xs text-dim">
        {WORDS[severity]}: {message}
      </p>
    )}
  />
);

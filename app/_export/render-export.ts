import { ENGINES } from '@/server/core/engines';
import { EXPORTERS } from '@/server/core/exporters';
import { exportPlan } from '@/server/core/exporters/export-plans';
import type { Exported } from '@/server/core/exporters/exporter';
import { evidenceOfTrial, type MeasuredTrial } from '@/server/core/exporters/trial-evidence';
import type { Plan } from '@/server/core/plan/plan';
import type { Workload } from '@/server/core/workload/workload';

/** The files of one plan in one form, with what was measured of it where that may stand there. */
export function renderExport(
  plan: Plan,
  exporterId: string,
  measured: MeasuredTrial | null,
  workloads: readonly Workload[],
): Exported {
  const exporter = EXPORTERS.find((other) => other.id === exporterId);
  if (!exporter) throw new Error(`no exporter ${exporterId}`);
  const evidence = measured ? evidenceOfTrial(measured) : null;
  return exportPlan(plan, exporter, ENGINES, evidence, { workloads, trial: measured });
}

'use client';

import { ExportedFile } from '@/app/_export/exported-file';
import type { FormGroup } from '@/app/_export/form-groups';
import { PlanExport } from '@/app/_export/plan-export';
import { serializePipeline } from '@/server/core/pipeline/parse';
import type { Plan } from '@/server/core/plan/plan';
import type { Workload } from '@/server/core/workload/workload';
import { useDocument, useUi } from '../builder-context';
import { FindingItem } from '../problems/finding-item';

const NO_PLANS: readonly Plan[] = [];
const NO_WORKLOADS: readonly Workload[] = [];
const PIPELINE: FormGroup = {
  title: 'Graph',
  forms: [{ id: 'pipeline', title: 'Pipeline file', summary: 'the graph itself, to import again' }],
};

/** Files of the plans that the graph yields now, and of the graph itself. */
export function ExportPanel() {
  const plans = useUi((state) => state.compiled?.plans) ?? NO_PLANS;
  const workloads = useUi((state) => state.compiled?.workloads) ?? NO_WORKLOADS;
  return (
    <PlanExport
      plans={plans}
      initial={plans[0]?.deployment ?? null}
      labelOf={(plan) => plan.label}
      workloads={workloads}
      showFinding={(finding) => <FindingItem finding={finding} />}
      more={{ group: PIPELINE, show: <PipelineFile /> }}
    />
  );
}

function PipelineFile() {
  const pipeline = useDocument((state) => state.pipeline);
  return <ExportedFile path="pipeline.json" content={serializePipeline(pipeline)} />;
}

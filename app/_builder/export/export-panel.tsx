'use client';

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTRPC } from '@/app/_trpc/api';
import { Field } from '@/app/_ui/field';
import { Loading } from '@/app/_ui/loading';
import { Select } from '@/app/_ui/select';
import { EXPORTERS } from '@/server/core/exporters';
import { serializePipeline } from '@/server/core/pipeline/parse';
import type { Plan } from '@/server/core/plan/plan';
import type { Workload } from '@/server/core/workload/workload';
import { useDocument, useUi } from '../builder-context';
import { FindingItem } from '../problems/finding-item';
import { ExportedFile } from './exported-file';
import { renderExport } from './render-export';

const PIPELINE = 'pipeline';
const NO_PLANS: readonly Plan[] = [];
const NO_WORKLOADS: readonly Workload[] = [];

/** Chooses a plan and a form; the files are made here in the browser. */
export function ExportPanel() {
  const plans = useUi((state) => state.compiled?.plans) ?? NO_PLANS;
  const [deployment, setDeployment] = useState(plans[0]?.deployment ?? '');
  const plan = plans.find((other) => other.deployment === deployment) ?? plans[0] ?? null;
  const fitting = plan ? EXPORTERS.filter((exporter) => exporter.supports(plan)) : [];
  const [wanted, setWanted] = useState<string | null>(null);
  const format =
    fitting.find((exporter) => exporter.id === wanted)?.id ??
    (wanted === PIPELINE ? PIPELINE : (fitting[0]?.id ?? PIPELINE));
  const formats = [
    ...fitting.map(({ id, title }) => ({ value: id, label: title })),
    { value: PIPELINE, label: 'Pipeline file (the graph)' },
  ];
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div className="flex flex-wrap items-end gap-3">
        <Field label="Plan" className="w-64">
          {(ids) => (
            <Select
              {...ids}
              disabled={format === PIPELINE}
              value={plan?.deployment ?? ''}
              options={plans.map((other) => ({ value: other.deployment, label: other.label }))}
              onValueChange={setDeployment}
            />
          )}
        </Field>
        <Field label="As" className="w-64">
          {(ids) => <Select {...ids} value={format} options={formats} onValueChange={setWanted} />}
        </Field>
      </div>
      {plan ? <Refusals plan={plan} /> : null}
      {format === PIPELINE || !plan ? <PipelineFile /> : <PlanFiles plan={plan} exporterId={format} />}
    </div>
  );
}

/** Forms that this plan has not, with the reason. */
function Refusals({ plan }: { plan: Plan }) {
  const refused = EXPORTERS.flatMap((exporter) => {
    const reason = exporter.refusal(plan);
    return reason === null ? [] : [{ id: exporter.id, title: exporter.title, reason }];
  });
  if (refused.length === 0) return null;
  return (
    <ul className="text-xs text-dim">
      {refused.map(({ id, title, reason }) => (
        <li key={id}>
          Not as {title}: {reason}
        </li>
      ))}
    </ul>
  );
}

function PlanFiles({ plan, exporterId }: { plan: Plan; exporterId: string }) {
  const trpc = useTRPC();
  const workloads = useUi((state) => state.compiled?.workloads) ?? NO_WORKLOADS;
  const evidence = useQuery(trpc.exports.evidence.queryOptions({ planHash: plan.planHash }));
  if (evidence.isPending) return <Loading what="the measurements of this plan" />;
  const exported = renderExport(plan, exporterId, evidence.data ?? null, workloads);
  return (
    <>
      {evidence.isError ? (
        <p role="alert" className="text-xs text-warn">
          The measurements could not be read ({evidence.error.message}); the file says that it was not measured.
        </p>
      ) : null}
      {exported.files.map((file) => (
        <ExportedFile key={file.path} {...file} />
      ))}
      {exported.findings.map((finding) => (
        <FindingItem key={`${finding.code} ${finding.field} ${finding.message}`} finding={finding} />
      ))}
    </>
  );
}

function PipelineFile() {
  const pipeline = useDocument((state) => state.pipeline);
  return <ExportedFile path="pipeline.json" content={serializePipeline(pipeline)} />;
}

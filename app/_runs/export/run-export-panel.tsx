'use client';

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ExportedFile } from '@/app/_builder/export/exported-file';
import { renderExport } from '@/app/_builder/export/render-export';
import { useTRPC } from '@/app/_trpc/api';
import { Field } from '@/app/_ui/field';
import { Loading } from '@/app/_ui/loading';
import { Problem } from '@/app/_ui/problem';
import { Select } from '@/app/_ui/select';
import { EXPORTERS } from '@/server/core/exporters';
import type { Plan } from '@/server/core/plan/plan';

interface Props {
  plans: readonly Plan[];
  /** Deployment that the report crowned. */
  winner: string | null;
}

/** Chooses a plan and a form; the files are made here in the browser, with the evidence that the server holds. */
export function RunExportPanel({ plans, winner }: Props) {
  const [deployment, setDeployment] = useState(winner ?? plans[0]?.deployment ?? '');
  const [wanted, setWanted] = useState<string | null>(null);
  const plan = plans.find((other) => other.deployment === deployment);
  if (!plan) return <p className="text-dim">This experiment has no plan.</p>;
  const fitting = EXPORTERS.filter((exporter) => exporter.supports(plan));
  const format = fitting.find((exporter) => exporter.id === wanted) ?? fitting[0];
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div className="flex flex-wrap items-end gap-3">
        <Field label="Plan" className="w-64">
          {(ids) => (
            <Select
              {...ids}
              value={plan.deployment}
              options={plans.map((p) => ({
                value: p.deployment,
                label: p.deployment === winner ? `${p.label} (winner)` : p.label,
              }))}
              onValueChange={setDeployment}
            />
          )}
        </Field>
        {format ? (
          <Field label="As" className="w-64">
            {(ids) => (
              <Select
                {...ids}
                value={format.id}
                options={fitting.map(({ id, title }) => ({ value: id, label: title }))}
                onValueChange={setWanted}
              />
            )}
          </Field>
        ) : null}
      </div>
      <ul className="text-xs text-dim">
        {EXPORTERS.map((exporter) => {
          const reason = exporter.refusal(plan);
          return reason === null ? null : (
            <li key={exporter.id}>
              Not as {exporter.title}: {reason}
            </li>
          );
        })}
      </ul>
      {format ? <Files plan={plan} exporterId={format.id} /> : null}
    </div>
  );
}

function Files({ plan, exporterId }: { plan: Plan; exporterId: string }) {
  const trpc = useTRPC();
  const evidence = useQuery(trpc.exports.evidence.queryOptions({ planHash: plan.planHash }));
  if (evidence.isPending) return <Loading what="the measurements of this plan" />;
  const exported = renderExport(plan, exporterId, evidence.data ?? null);
  return (
    <>
      {evidence.isError ? (
        <Problem title="The measurements could not be read.">
          {evidence.error.message} The file says that it was not measured.
        </Problem>
      ) : null}
      {exported.files.map((file) => (
        <ExportedFile key={file.path} {...file} />
      ))}
      <ul className="text-xs text-dim">
        {exported.findings.map((finding) => (
          <li key={`${finding.code} ${finding.field} ${finding.message}`}>
            {finding.severity}: {finding.message}
          </li>
        ))}
      </ul>
    </>
  );
}

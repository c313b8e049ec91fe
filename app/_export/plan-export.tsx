'use client';

import { type ReactNode, useState } from 'react';
import { Field } from '@/app/_ui/field';
import { Select } from '@/app/_ui/select';
import { EXPORTERS } from '@/server/core/exporters';
import type { Finding } from '@/server/core/plan/finding';
import type { Plan } from '@/server/core/plan/plan';
import type { Workload } from '@/server/core/workload/workload';
import type { FormGroup } from './form-groups';
import { FormPicker } from './form-picker';
import { PlanFiles } from './plan-files';

interface Props {
  /** At least one. */
  plans: readonly Plan[];
  /** Plan that is chosen at first, and the name of a plan. */
  initial: string | null;
  labelOf: (plan: Plan) => string;
  workloads: readonly Workload[];
  showFinding: (finding: Finding) => ReactNode;
  /** A form that is no exporter of a plan, and its files. */
  more?: { group: FormGroup; show: ReactNode };
}

const NO_GROUPS: readonly FormGroup[] = [];

/** Chooses a plan and a form, and shows the files. */
export function PlanExport({ plans, initial, labelOf, workloads, showFinding, more }: Props) {
  const [deployment, setDeployment] = useState(initial);
  const [wanted, setWanted] = useState<string | null>(null);
  const plan = plans.find((other) => other.deployment === deployment) ?? plans[0];
  if (!plan) return more?.show ?? <p className="text-dim">There is no plan.</p>;
  const others = more ? [more.group] : NO_GROUPS;
  const otherIds = others.flatMap(({ forms }) => forms.map(({ id }) => id));
  const fitting = EXPORTERS.filter((exporter) => exporter.supports(plan)).map(({ id }) => id);
  const ids = [...fitting, ...otherIds];
  const form = ids.find((id) => id === wanted) ?? ids[0];
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4 sm:grid-cols-[16rem_minmax(0,1fr)]">
      <div className="grid content-start gap-3">
        <Field label="Plan">
          {(field) => (
            <Select
              {...field}
              value={plan.deployment}
              options={plans.map((other) => ({ value: other.deployment, label: labelOf(other) }))}
              onValueChange={setDeployment}
            />
          )}
        </Field>
        <FormPicker plan={plan} more={others} value={form ?? ''} onValueChange={setWanted} />
      </div>
      <div className="grid min-w-0 content-start gap-3">
        {form === undefined || otherIds.includes(form) ? (
          more?.show
        ) : (
          <PlanFiles plan={plan} exporterId={form} workloads={workloads} showFinding={showFinding} />
        )}
      </div>
    </div>
  );
}

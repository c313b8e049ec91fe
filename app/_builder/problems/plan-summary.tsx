'use client';

import { ScrollRegion } from '@/app/_ui/scroll-region';
import { Term } from '@/app/_ui/term';
import type { Compiled } from '@/server/core/compile/compiled';
import type { Plan } from '@/server/core/plan/plan';
import { useUi } from '../builder-context';
import { LOSS_WORDS } from '../inspector/technique-facts';
import { planColor } from '../plan-color';

const countText = ({ plans, workloads }: Compiled): string =>
  `${plans.length} · ${workloads.length} ${workloads.length === 1 ? 'workload' : 'workloads'}`;

/** The plans that this document makes, in one line each. */
export function PlanSummary({ open }: { open: boolean }) {
  const compiled = useUi((state) => state.compiled);
  const plans = compiled?.plans ?? [];
  return (
    <section aria-label="Plans" className="min-w-0 px-3 py-1.5">
      <div className="flex h-6 items-center gap-2 text-xs">
        <h2 className="text-dim">
          <Term name="plan">Plans</Term>
        </h2>
        <p role="status" className="text-dim">
          {compiled ? countText(compiled) : 'compiling…'}
          {compiled ? (
            <>
              {' · '}
              {compiled.protocol.blocks} <Term name="block">{compiled.protocol.blocks === 1 ? 'block' : 'blocks'}</Term>
            </>
          ) : null}
        </p>
      </div>
      {open ? (
        <ScrollRegion label="List of plans" className="h-[92px] overflow-auto max-md:h-auto max-md:max-h-24">
          {plans.length === 0 && compiled ? (
            <p className="text-xs text-dim">No plan yet: a deployment needs a model, an engine and hardware.</p>
          ) : (
            <table className="w-full text-xs">
              <tbody>
                {plans.map((plan, index) => (
                  <PlanRow key={plan.deployment} plan={plan} index={index} />
                ))}
              </tbody>
            </table>
          )}
        </ScrollRegion>
      ) : null}
    </section>
  );
}

function PlanRow({ plan, index }: { plan: Plan; index: number }) {
  const engines = [...new Set(plan.components.map((component) => `${component.engine} ${component.engineVersion}`))];
  return (
    <tr>
      <td className="w-7 min-w-7 py-px">
        <svg aria-hidden viewBox="0 0 18 4" className="h-1 w-4.5">
          <line
            x1="0"
            y1="2"
            x2="18"
            y2="2"
            stroke={planColor(index, plan.isBaseline)}
            strokeWidth="3"
            strokeDasharray={plan.isBaseline ? '4 3' : undefined}
          />
        </svg>
      </td>
      <td className="max-w-56 truncate py-px pr-3" title={plan.deployment}>
        {plan.label}
        {plan.isBaseline ? (
          <span className="text-dim">
            {' '}
            · <Term name="baseline" />
          </span>
        ) : null}
      </td>
      <td className="py-px pr-3 whitespace-nowrap text-dim">{engines.join(' + ')}</td>
      <td className="py-px pr-3 whitespace-nowrap text-dim">{LOSS_WORDS[plan.loss]}</td>
      <td className="mono py-px text-right text-[11px] text-faint">{plan.planHash.slice(0, 8)}</td>
    </tr>
  );
}

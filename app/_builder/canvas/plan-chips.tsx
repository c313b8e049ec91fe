'use client';

import { cn } from '@/app/_ui/cn';
import type { Plan } from '@/server/core/plan/plan';
import { useBuilder, useUi } from '../builder-context';
import { planColor } from '../plan-color';

const MAX_CHIPS = 8;

/** The plans that this graph makes; one click brings out the nodes of a plan. */
export function PlanChips() {
  const { ui } = useBuilder();
  const plans = useUi((state) => state.compiled?.plans);
  const focused = useUi((state) => state.focusedPlan?.deployment ?? null);
  const drawing = useUi((state) => state.connecting !== null);
  if (!plans || plans.length === 0 || drawing) return null;
  const toggle = (plan: Plan) =>
    ui.setState({
      focusedPlan: focused === plan.deployment ? null : { deployment: plan.deployment, nodeIds: plan.nodeIds },
    });
  return (
    <ul aria-label="Plans" className="flex max-w-[60vw] flex-wrap justify-end gap-1.5 max-md:hidden">
      {plans.slice(0, MAX_CHIPS).map((plan, index) => (
        <li key={plan.deployment}>
          <button
            type="button"
            aria-pressed={focused === plan.deployment}
            title={`Show the nodes of ${plan.deployment}`}
            onClick={() => toggle(plan)}
            style={{ borderColor: planColor(index, plan.isBaseline) }}
            className={cn(
              'max-w-56 truncate rounded-full border bg-panel px-2 text-xs leading-5',
              plan.isBaseline && 'border-dashed',
              focused === plan.deployment && 'bg-grid',
            )}
          >
            {plan.isBaseline ? `baseline · ${plan.label}` : plan.label}
          </button>
        </li>
      ))}
      {plans.length > MAX_CHIPS ? (
        <li className="text-xs leading-5 text-dim">and {plans.length - MAX_CHIPS} more</li>
      ) : null}
    </ul>
  );
}

import { ArmSwatch } from '@/app/_charts/arm-swatch';
import { MAX_LINES } from '@/app/_charts/chart-data';
import { cn } from '@/app/_ui/cn';
import type { ExperimentSpec } from '@/server/core/run/experiment';

/** Arms that are drawn unless the reader chose: the baseline and the first seven others. */
export const defaultArms = (spec: Pick<ExperimentSpec, 'arms'>): number[] =>
  spec.arms.map((_, index) => index).slice(0, MAX_LINES);

interface Props {
  spec: Pick<ExperimentSpec, 'arms'>;
  shown: readonly number[];
  onChange: (arms: number[]) => void;
}

/** Which line is which plan; a click takes it out of the charts or back in. Not more than eight at a time. */
export function ArmLegend({ spec, shown, onChange }: Props) {
  const full = shown.length >= MAX_LINES;
  return (
    <fieldset className="flex flex-wrap items-center gap-x-1 gap-y-0.5" aria-label="Plans drawn">
      {spec.arms.map((plan, arm) => {
        const on = shown.includes(arm);
        const locked = plan.isBaseline || (!on && full);
        return (
          <button
            key={plan.deployment}
            type="button"
            aria-pressed={on}
            disabled={locked}
            title={
              plan.isBaseline
                ? 'The baseline is always drawn'
                : locked
                  ? 'Eight plans are drawn: take one out first'
                  : undefined
            }
            className={cn('rounded-md px-1.5 py-0.5 text-xs hover:bg-grid', !on && 'text-faint line-through')}
            onClick={() => onChange(on ? shown.filter((a) => a !== arm) : [...shown, arm].sort((a, b) => a - b))}
          >
            <ArmSwatch arm={arm} isBaseline={plan.isBaseline} />
            {plan.label}
          </button>
        );
      })}
    </fieldset>
  );
}

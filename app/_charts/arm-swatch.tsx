import { armColor, BASELINE_DASH } from './palette';

/** The line of a plan as the charts draw it: its colour, dashed for the baseline. */
export function ArmSwatch({ arm, isBaseline, thin = false }: { arm: number; isBaseline: boolean; thin?: boolean }) {
  return (
    <svg aria-hidden="true" width="18" height="8" className="mr-1 inline-block align-middle">
      <line
        x1="0"
        x2="18"
        y1="4"
        y2="4"
        stroke={armColor(arm, isBaseline)}
        strokeWidth={thin ? 1 : 2}
        strokeDasharray={isBaseline ? BASELINE_DASH : undefined}
      />
    </svg>
  );
}

import { formatDuration } from '@/app/_ui/format';
import type { TrialState } from '@/server/core/run/trial';

interface Phase {
  phase: TrialState;
  at: string;
  detail: string | null;
}

/** The phases with the time that each took; the last one has none while it lasts. */
export function PhaseList({ phases, end }: { phases: readonly Phase[]; end: string | null }) {
  if (phases.length === 0) return <p className="text-dim">It has not begun.</p>;
  return (
    <ol className="flex flex-wrap gap-x-5 gap-y-1">
      {phases.map((phase, i) => {
        const next = phases[i + 1]?.at ?? end;
        const seconds = next ? (Date.parse(next) - Date.parse(phase.at)) / 1000 : null;
        return (
          <li key={`${phase.phase}-${phase.at}`}>
            {phase.phase} <span className="mono text-faint">{seconds === null ? 'now' : formatDuration(seconds)}</span>
            {phase.detail ? <span className="block text-xs text-dim">{phase.detail}</span> : null}
          </li>
        );
      })}
    </ol>
  );
}

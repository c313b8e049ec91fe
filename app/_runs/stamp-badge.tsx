import { Badge } from '@/app/_ui/badge';
import { Tooltip } from '@/app/_ui/tooltip';
import type { Report } from '@/server/core/run/report';

const MEANING: Record<Report['stamp'], string> = {
  MEASURED: 'Figures of a real engine that really ran.',
  SIMULATED: 'Timings of the simulator. They never stand beside measured ones.',
  EXTERNAL: 'Figures that were imported from another tool’s results.',
};

/** What kind of truth the figures are. */
export function StampBadge({ stamp }: { stamp: Report['stamp'] }) {
  return (
    <Tooltip content={MEANING[stamp]}>
      <button type="button" className="cursor-help!">
        <Badge tone={stamp === 'SIMULATED' ? 'warn' : 'neutral'}>{stamp}</Badge>
      </button>
    </Tooltip>
  );
}

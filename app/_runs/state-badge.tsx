import { Badge, type BadgeTone } from '@/app/_ui/badge';

const TONES: Readonly<Record<string, BadgeTone>> = {
  succeeded: 'ok',
  failed: 'error',
  lost: 'error',
  cancelled: 'neutral',
  queued: 'neutral',
};

/** State of an experiment, block or trial; what runs is in the accent colour. */
export function StateBadge({ state }: { state: string }) {
  return <Badge tone={TONES[state] ?? 'accent'}>{state}</Badge>;
}

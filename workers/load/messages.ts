import type { ClientStats } from '@/server/core/metrics/point-input';
import type { SecondRow } from '@/server/core/metrics/records';
import type { Generated } from './generate';
import type { LoadJob, LoadPhase } from './load-types';

/** What the generator's process is told. Losing the channel means: stop. */
export type ToGenerator = { kind: 'run'; job: LoadJob } | { kind: 'abort' };

/** What it tells. Times are ms on its own clock, whose zero is `zeroNs` of the host's monotonic clock. */
export type FromGenerator =
  | { kind: 'ready' }
  | { kind: 'phase'; phase: LoadPhase }
  | { kind: 'second'; row: SecondRow }
  | { kind: 'failed'; message: string }
  | {
      kind: 'done';
      records: Generated['records'];
      window: Generated['window'];
      client: ClientStats;
      zeroNs: bigint;
      zeroEpochMs: number;
    };

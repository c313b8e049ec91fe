'use client';

import { useQueries } from '@tanstack/react-query';
import { useTRPC } from '@/app/_trpc/api';
import { isTerminal } from '@/server/core/run/trial';
import type { ExperimentDetail, StoredSeconds } from './views';

/**
 * One-second rows that the server holds, of all trials that have begun and count. Those of an ended trial never
 * change; those of a running one are read once, then the stream adds to them.
 */
export function useStoredSeconds(detail: ExperimentDetail | undefined): StoredSeconds {
  const trpc = useTRPC();
  const begun = detail?.trials.filter((t) => !t.superseded && t.startedAt !== null) ?? [];
  return useQueries({
    queries: begun.map((trial) =>
      trpc.experiments.seconds.queryOptions(
        { id: trial.id },
        { staleTime: isTerminal(trial.state) ? Number.POSITIVE_INFINITY : 0, refetchOnWindowFocus: false },
      ),
    ),
    combine,
  });
}

/** Outside the component, so that an unchanged answer keeps its identity. */
const combine = (results: readonly { data?: StoredSeconds | undefined }[]): StoredSeconds =>
  results.flatMap((result) => result.data ?? []);

'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useReducer, useRef } from 'react';
import { useTRPC } from '@/app/_trpc/api';
import type { StreamStatus } from '@/app/_trpc/shared-stream';
import type { StreamEvent } from '@/server/core/run/stream';
import { addSeconds, applyEvents, applySnapshot, emptyLiveState, gapOf, type LiveState } from './live-state';
import { liveStateOf } from './snapshot';
import { useLiveEvents } from './use-live-events';
import { useStoredSeconds } from './use-stored-seconds';
import type { ExperimentDetail, StoredSeconds } from './views';

type Action =
  | { kind: 'events'; events: readonly StreamEvent[] }
  | { kind: 'snapshot'; detail: ExperimentDetail }
  | { kind: 'seconds'; stored: StoredSeconds };

function reduce(state: LiveState, action: Action): LiveState {
  switch (action.kind) {
    case 'events':
      return applyEvents(state, action.events);
    case 'snapshot':
      return applySnapshot(state, liveStateOf(action.detail));
    case 'seconds':
      return addSeconds(state, action.stored);
  }
}

/** A gap that has not closed by itself for so long is closed by a fresh snapshot. */
const GAP_PATIENCE_MS = 1500;
const CHANGES = new Set<StreamEvent['body']['kind']>(['outcome', 'trial', 'experiment']);

export interface ExperimentFeed {
  detail: ExperimentDetail | null;
  live: LiveState;
  status: StreamStatus;
  running: boolean;
  error: { message: string } | null;
  refetch: () => void;
}

/** One experiment: what the server knows, and what its stream adds. */
export function useExperiment(experimentId: string): ExperimentFeed {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [live, dispatch] = useReducer(reduce, undefined, () => emptyLiveState());
  const detail = useQuery(trpc.experiments.get.queryOptions({ id: experimentId }, { staleTime: 0 }));
  const known = detail.data;
  const stored = useStoredSeconds(known);
  useEffect(() => {
    if (!known) return;
    dispatch({ kind: 'snapshot', detail: known });
    dispatch({ kind: 'seconds', stored });
  }, [known, stored]);

  const refetch = useCallback(async () => {
    const queryKey = trpc.experiments.get.queryKey({ id: experimentId });
    // A fetch that is under way may hold an older answer.
    await queryClient.cancelQueries({ queryKey });
    await queryClient.invalidateQueries({ queryKey });
  }, [queryClient, trpc, experimentId]);

  const readAgain = (trialId: string) =>
    queryClient.invalidateQueries({ queryKey: trpc.experiments.seconds.queryKey({ id: trialId }) });

  const lastSeq = useRef(0);
  lastSeq.current = live.lastSeq;
  const ended = known !== undefined && known.state !== 'queued' && known.state !== 'running';
  const onEvents = (events: readonly StreamEvent[]) => {
    dispatch({ kind: 'events', events });
    if (events.some((event) => CHANGES.has(event.body.kind))) void refetch();
    for (const { trialId, body } of events) {
      // What was read while the trial ran is not all of it.
      if (body.kind === 'outcome' && trialId) void readAgain(trialId);
    }
  };
  const status = useLiveEvents({
    experimentId,
    enabled: known !== undefined && live.lastSeq >= known.lastSeq && !ended,
    lastSeq: () => lastSeq.current,
    onEvents,
    onReset: () => void refetch(),
  });

  const gap = gapOf(live) !== null;
  useEffect(() => {
    if (!gap) return;
    const timer = setTimeout(() => void refetch(), GAP_PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [gap, refetch]);
  // A tab that was hidden, or joined late, may have missed what another tab's stream passed on.
  const joined = status === 'live';
  useEffect(() => {
    if (joined) void refetch();
  }, [joined, refetch]);

  const { state } = live.experiment;
  return {
    detail: known ?? null,
    live,
    status,
    running: known !== undefined && (state === 'queued' || state === 'running'),
    error: detail.error,
    refetch: () => void refetch(),
  };
}

'use client';

import { useQuery } from '@tanstack/react-query';
import { useEffect, useReducer, useRef } from 'react';
import { applyEvents, applySnapshot, emptyLiveState, type LiveState } from '@/app/_runs/live-state';
import { nodeStates } from '@/app/_runs/node-states';
import { liveStateOf } from '@/app/_runs/snapshot';
import { useLiveEvents } from '@/app/_runs/use-live-events';
import type { ExperimentDetail } from '@/app/_runs/views';
import { useTRPC } from '@/app/_trpc/api';
import type { StreamEvent } from '@/server/core/run/stream';
import { useBuilder, useDocument } from '../builder-context';
import { sameNodes } from './same-nodes';

type Action = { kind: 'events'; events: readonly StreamEvent[] } | { kind: 'snapshot'; detail: ExperimentDetail };

const reduce = (state: LiveState, action: Action): LiveState =>
  action.kind === 'events' ? applyEvents(state, action.events) : applySnapshot(state, liveStateOf(action.detail));

/** Puts the states of the newest experiment on the nodes that are still as it ran them. Draws nothing. */
export function RunStates({ pipelineId }: { pipelineId: string }) {
  const trpc = useTRPC();
  const newest = useQuery(trpc.experiments.list.queryOptions({ pipelineId, limit: 1 }));
  const id = newest.data?.items[0]?.id;
  return id ? <FollowExperiment key={id} experimentId={id} /> : null;
}

function FollowExperiment({ experimentId }: { experimentId: string }) {
  const { ui } = useBuilder();
  const trpc = useTRPC();
  const pipeline = useDocument((state) => state.pipeline);
  const detail = useQuery(trpc.experiments.get.queryOptions({ id: experimentId }));
  const known = detail.data;
  const [live, dispatch] = useReducer(reduce, undefined, () => emptyLiveState());
  useEffect(() => {
    if (known) dispatch({ kind: 'snapshot', detail: known });
  }, [known]);
  const lastSeq = useRef(0);
  lastSeq.current = live.lastSeq;
  const running = known?.state === 'queued' || known?.state === 'running';
  useLiveEvents({
    experimentId,
    enabled: running && live.lastSeq >= (known?.lastSeq ?? 0),
    lastSeq: () => lastSeq.current,
    onReset: () => void detail.refetch(),
    onEvents: (events) => {
      dispatch({ kind: 'events', events });
      if (events.some((event) => event.body.kind === 'experiment')) void detail.refetch();
    },
  });
  useEffect(() => {
    if (!known) return;
    const asRun = sameNodes(known.document, pipeline);
    const states = nodeStates(live, known.spec.arms);
    ui.setState({ runStates: new Map([...states].filter(([nodeId]) => asRun.has(nodeId))) });
    return () => ui.setState({ runStates: new Map() });
  }, [live, known, pipeline, ui]);
  return null;
}

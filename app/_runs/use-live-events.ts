'use client';

import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { useTRPCClient } from '@/app/_trpc/api';
import { type StreamStatus, shareStream, type Upstream } from '@/app/_trpc/shared-stream';
import type { StreamEvent } from '@/server/core/run/stream';

interface Options {
  experimentId: string;
  /** Nothing is opened before the first snapshot and after the end. */
  enabled: boolean;
  /** The last event that this tab has applied: where to go on after a pause. */
  lastSeq: () => number;
  onEvents: (events: readonly StreamEvent[]) => void;
  /** The stream was shortened behind this tab: only a fresh snapshot brings back what is missing. */
  onReset: () => void;
}

type Message = { type: 'events'; events: StreamEvent[] } | { type: 'reset'; lastSeq: number };

/** Events are handed over a few times a second, however many arrive. */
const FLUSH_MS = 200;

/** Follows an experiment's stream and says how the connection stands. */
export function useLiveEvents({ experimentId, enabled, lastSeq, onEvents, onReset }: Options): StreamStatus {
  const client = useTRPCClient();
  const [status, setStatus] = useState<StreamStatus>('connecting');
  const online = useOnline();
  const latest = useRef({ lastSeq, onEvents, onReset });
  latest.current = { lastSeq, onEvents, onReset };
  useEffect(() => {
    // A connection that was cut is opened anew when the network is back, not after a time-out.
    if (!enabled || !online) return;
    let waiting: StreamEvent[] = [];
    let timer: ReturnType<typeof setTimeout> | null = null;
    const flush = () => {
      timer = null;
      const events = waiting;
      waiting = [];
      latest.current.onEvents(events);
    };
    const open = (up: Upstream<Message>) => {
      const subscription = client.live.experiment.subscribe(
        { experimentId, lastEventId: String(latest.current.lastSeq()) },
        {
          onData: ({ data }) => up.data(data),
          onConnectionStateChange: ({ state, error }) => {
            if (state === 'pending') up.status('live');
            else if (error) up.status('reconnecting');
          },
          onError: () => up.status('reconnecting'),
        },
      );
      return () => subscription.unsubscribe();
    };
    const data = (message: Message) => {
      if (message.type === 'reset') return latest.current.onReset();
      waiting.push(...message.events);
      timer ??= setTimeout(flush, FLUSH_MS);
    };
    const stop = shareStream<Message>(`experiment:${experimentId}`, open, { data, status: setStatus });
    return () => {
      stop();
      if (timer) clearTimeout(timer);
    };
  }, [client, enabled, online, experimentId]);
  return online ? status : 'reconnecting';
}

function subscribeOnline(changed: () => void): () => void {
  window.addEventListener('online', changed);
  window.addEventListener('offline', changed);
  return () => {
    window.removeEventListener('online', changed);
    window.removeEventListener('offline', changed);
  };
}

const useOnline = (): boolean =>
  useSyncExternalStore(
    subscribeOnline,
    () => navigator.onLine,
    () => true,
  );

'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTRPC, useTRPCClient } from './api';
import { shareStream } from './shared-stream';

interface Nudge {
  topic: string;
  id: string | null;
}

/** Fetches again what another tab, a worker or a colleague changed. One stream serves all tabs of this browser. */
export function useTeamNudges(enabled: boolean): void {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  useEffect(() => {
    if (!enabled) return;
    const routers: Readonly<Record<string, readonly { pathKey: () => readonly unknown[] }[]>> = {
      pipelines: [trpc.pipelines],
      experiments: [trpc.experiments],
      workers: [trpc.workers],
      tokens: [trpc.tokens],
      secrets: [trpc.secrets],
      // My own role may be another now.
      members: [trpc.members, trpc.me],
    };
    const refetch = async (topic: string) => {
      for (const { pathKey } of routers[topic] ?? []) {
        const queryKey = pathKey();
        // A fetch that is under way may hold an older answer.
        await queryClient.cancelQueries({ queryKey });
        await queryClient.invalidateQueries({ queryKey });
      }
    };
    let isFirst = true;
    return shareStream<Nudge>(
      'team',
      (up) => {
        const subscription = client.live.team.subscribe(undefined, {
          onData: (nudge) => up.data(nudge),
          onConnectionStateChange: ({ state }) => up.status(state === 'pending' ? 'live' : 'connecting'),
        });
        return () => subscription.unsubscribe();
      },
      {
        data: (nudge) => void refetch(nudge.topic),
        status: (status) => {
          if (status !== 'live') return;
          // Nudges are not kept: what came while nobody listened is fetched.
          if (!isFirst) for (const topic of Object.keys(routers)) void refetch(topic);
          isFirst = false;
        },
      },
    );
  }, [enabled, trpc, client, queryClient]);
}

'use client';

import { skipToken, useQueryClient } from '@tanstack/react-query';
import { useSubscription } from '@trpc/tanstack-react-query';
import { useTRPC } from './api';

/** Fetches again what another tab, a worker or a colleague changed. */
export function useTeamNudges(enabled: boolean): void {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const routers: Readonly<Record<string, { pathKey: () => readonly unknown[] }>> = {
    pipelines: trpc.pipelines,
    experiments: trpc.experiments,
    workers: trpc.workers,
  };
  useSubscription(
    trpc.live.team.subscriptionOptions(enabled ? undefined : skipToken, {
      onData: (nudge) => {
        const router = routers[nudge.topic];
        if (!router) return;
        const queryKey = router.pathKey();
        void queryClient.cancelQueries({ queryKey }).then(() => queryClient.invalidateQueries({ queryKey }));
      },
    }),
  );
}

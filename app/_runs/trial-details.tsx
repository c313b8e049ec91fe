'use client';

import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '@/app/_trpc/api';
import { Button } from '@/app/_ui/button';
import { Dialog } from '@/app/_ui/dialog';
import { Loading } from '@/app/_ui/loading';
import { Problem } from '@/app/_ui/problem';
import type { LiveState } from './live-state';
import { TrialBody } from './trial-body';
import type { ExperimentDetail } from './views';

interface Props {
  id: string | null;
  detail: ExperimentDetail;
  live: LiveState;
  onClose: () => void;
}

/** One trial in a window over the page; its id stands in the URL. */
export function TrialDetails({ id, detail, live, onClose }: Props) {
  const trpc = useTRPC();
  const query = useQuery(trpc.experiments.trial.queryOptions({ id: id ?? '' }, { enabled: id !== null }));
  const current = id ? live.trials[id] : undefined;
  const plan = current ? detail.spec.arms[current.arm] : undefined;
  const title = current ? `${plan?.label ?? 'Trial'}, block ${current.block + 1}` : 'Trial';
  return (
    <Dialog open={id !== null} onOpenChange={(open) => open || onClose()} title={title} className="max-w-4xl">
      {query.isPending && id ? <Loading what="the trial" /> : null}
      {query.isError ? (
        <Problem
          title="The trial could not be loaded."
          actions={<Button onClick={() => query.refetch()}>Try again</Button>}
        >
          {query.error.message}
        </Problem>
      ) : null}
      {query.data ? <TrialBody trial={query.data} detail={detail} live={live} /> : null}
    </Dialog>
  );
}

'use client';

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTRPC } from '@/app/_trpc/api';
import { Button } from '@/app/_ui/button';
import { EmptyState } from '@/app/_ui/empty-state';
import { Loading } from '@/app/_ui/loading';
import { Problem } from '@/app/_ui/problem';
import { NewWorkerDialog } from './new-worker-dialog';
import { TokensTable } from './tokens-table';
import { WorkersTable } from './workers-table';

/** A worker's last sign of life ages while nothing is pushed. */
const REFRESH_MS = 10_000;

export function WorkersPage() {
  const trpc = useTRPC();
  const [adding, setAdding] = useState(false);
  const me = useQuery(trpc.me.get.queryOptions());
  const workers = useQuery(trpc.workers.list.queryOptions(undefined, { refetchInterval: REFRESH_MS }));
  const owner = me.data?.role === 'owner';
  const add = owner ? (
    <Button tone="primary" onClick={() => setAdding(true)}>
      Add a worker
    </Button>
  ) : null;
  return (
    <div className="mx-auto grid max-w-6xl gap-4 px-4 py-5">
      <div className="flex flex-wrap items-center gap-3">
        <h1 className="mr-auto text-title">Workers</h1>
        {add}
      </div>
      {workers.isPending ? <Loading what="the workers" /> : null}
      {workers.isError ? (
        <Problem
          title="The workers could not be loaded."
          actions={<Button onClick={() => workers.refetch()}>Try again</Button>}
        >
          {workers.error.message}
        </Problem>
      ) : null}
      {workers.data?.length === 0 ? (
        <EmptyState title="No workers yet" actions={add}>
          A worker is an agent on a host with engines. It claims blocks of trials, runs them and reports. Add one and
          run the command that you get on its host.
        </EmptyState>
      ) : null}
      {workers.data && workers.data.length > 0 ? <WorkersTable workers={workers.data} canRevoke={owner} /> : null}
      {owner ? <TokensTable /> : null}
      <NewWorkerDialog open={adding} onOpenChange={setAdding} />
    </div>
  );
}

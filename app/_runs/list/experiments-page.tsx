'use client';

import { useInfiniteQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs';
import { useTRPC } from '@/app/_trpc/api';
import { Button } from '@/app/_ui/button';
import { EmptyState } from '@/app/_ui/empty-state';
import { Loading } from '@/app/_ui/loading';
import { Problem } from '@/app/_ui/problem';
import { Select } from '@/app/_ui/select';
import { EXPERIMENT_STATES } from '@/server/core/run/stream';
import { ExperimentRows } from './experiment-rows';
import { PipelineFilter } from './pipeline-filter';

const STATE_OPTIONS = [{ value: '', label: 'Any state' }, ...EXPERIMENT_STATES.map((s) => ({ value: s, label: s }))];
const PAGE = 50;

/** The history of experiments, newest first. Filters stand in the URL; pages are fetched as they come into view. */
export function ExperimentsPage() {
  const trpc = useTRPC();
  const [filter, setFilter] = useQueryStates({
    state: parseAsStringLiteral(EXPERIMENT_STATES),
    pipeline: parseAsString,
  });
  const list = useInfiniteQuery(
    trpc.experiments.list.infiniteQueryOptions(
      { limit: PAGE, state: filter.state ?? undefined, pipelineId: filter.pipeline ?? undefined },
      { getNextPageParam: (page) => page.nextCursor ?? undefined, placeholderData: (old) => old },
    ),
  );
  const experiments = list.data?.pages.flatMap((page) => page.items) ?? [];
  const filtered = filter.state !== null || filter.pipeline !== null;
  return (
    <div className="mx-auto flex h-full max-w-6xl flex-col gap-4 px-4 py-5">
      <div className="flex flex-wrap items-center gap-3">
        <h1 className="mr-auto text-title">Experiments</h1>
        <PipelineFilter value={filter.pipeline} onChange={(pipeline) => void setFilter({ pipeline })} />
        <Select
          aria-label="State"
          className="w-32"
          options={STATE_OPTIONS}
          value={filter.state ?? ''}
          onValueChange={(value) => void setFilter({ state: EXPERIMENT_STATES.find((s) => s === value) ?? null })}
        />
      </div>
      {list.isPending ? <Loading what="the experiments" /> : null}
      {list.isError ? (
        <Problem
          title="The experiments could not be loaded."
          actions={<Button onClick={() => list.refetch()}>Try again</Button>}
        >
          {list.error.message}
        </Problem>
      ) : null}
      {list.isSuccess && experiments.length === 0 ? (
        <Nothing filtered={filtered} onClear={() => void setFilter({ state: null, pipeline: null })} />
      ) : null}
      {experiments.length > 0 ? (
        <ExperimentRows
          experiments={experiments}
          hasMore={list.hasNextPage}
          loadingMore={list.isFetchingNextPage}
          onMore={() => void list.fetchNextPage()}
        />
      ) : null}
    </div>
  );
}

function Nothing({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  if (filtered) {
    return <EmptyState title="No experiment matches" actions={<Button onClick={onClear}>Show all</Button>} />;
  }
  return (
    <EmptyState
      title="No experiments yet"
      actions={
        <>
          <Button asChild tone="primary">
            <Link href="/pipelines">Open a pipeline</Link>
          </Button>
          <Button asChild>
            <Link href="/measure">Measure an endpoint</Link>
          </Button>
        </>
      }
    >
      An experiment runs the plans of a pipeline against its baseline. Open the demo pipeline and press Run.
    </EmptyState>
  );
}

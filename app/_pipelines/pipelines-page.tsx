'use client';

import { useInfiniteQuery } from '@tanstack/react-query';
import { Search } from 'lucide-react';
import Link from 'next/link';
import { useQueryState } from 'nuqs';
import { useDeferredValue } from 'react';
import { useTRPC } from '@/app/_trpc/api';
import { Button } from '@/app/_ui/button';
import { EmptyState } from '@/app/_ui/empty-state';
import { Input } from '@/app/_ui/input';
import { Loading } from '@/app/_ui/loading';
import { Problem } from '@/app/_ui/problem';
import { NewPipelineMenu } from './new-pipeline-menu';
import { PipelinesTable } from './pipelines-table';
import { useCreatePipeline, useExamples } from './use-create-pipeline';

export function PipelinesPage() {
  const trpc = useTRPC();
  const [search, setSearch] = useQueryState('search', { defaultValue: '' });
  const wanted = useDeferredValue(search.trim());
  const list = useInfiniteQuery(
    trpc.pipelines.list.infiniteQueryOptions(
      { search: wanted || undefined },
      { getNextPageParam: (page) => page.nextCursor ?? undefined, placeholderData: (old) => old },
    ),
  );
  const pipelines = list.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <div className="mx-auto grid max-w-6xl grid-cols-[minmax(0,1fr)] gap-4 px-4 py-5">
      <div className="flex flex-wrap items-center gap-3">
        <h1 className="mr-auto text-title">Pipelines</h1>
        <search className="relative">
          <Search aria-hidden className="absolute top-1.5 left-2 size-4 text-faint" />
          <Input
            type="search"
            aria-label="Search pipelines by name"
            placeholder="Search"
            className="w-44 pl-7"
            value={search}
            onChange={(event) => setSearch(event.target.value || null)}
          />
        </search>
        <NewPipelineMenu />
      </div>
      {list.isPending ? <Loading what="the pipelines" /> : null}
      {list.isError ? (
        <Problem
          title="The pipelines could not be loaded."
          actions={<Button onClick={() => list.refetch()}>Try again</Button>}
        >
          {list.error.message}
        </Problem>
      ) : null}
      {list.isSuccess && pipelines.length === 0 ? <Nothing search={wanted} /> : null}
      {pipelines.length > 0 ? <PipelinesTable pipelines={pipelines} /> : null}
      {list.hasNextPage ? (
        <Button className="justify-self-center" disabled={list.isFetchingNextPage} onClick={() => list.fetchNextPage()}>
          Show more
        </Button>
      ) : null}
    </div>
  );
}

function Nothing({ search }: { search: string }) {
  if (search !== '') return <EmptyState title={`No pipeline is called “${search}”`} />;
  return (
    <EmptyState
      title="No pipelines yet"
      actions={
        <>
          <OpenDemo />
          <Button asChild>
            <Link href="/pipelines/new">See the templates</Link>
          </Button>
        </>
      }
    >
      A pipeline is a graph of techniques. It becomes plans that run side by side against a baseline. The demo runs on
      this machine's CPU and gives a first verdict in minutes.
    </EmptyState>
  );
}

function OpenDemo() {
  const demo = useExamples().data?.find((example) => example.id === 'demo');
  const create = useCreatePipeline();
  if (!demo) return null;
  return (
    <Button
      tone="primary"
      disabled={create.isPending}
      onClick={() => create.mutate({ name: demo.title, document: demo.document })}
    >
      Open the demo
    </Button>
  );
}

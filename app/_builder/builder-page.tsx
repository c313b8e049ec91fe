'use client';

import { useQuery } from '@tanstack/react-query';
import { ReactFlowProvider } from '@xyflow/react';
import Link from 'next/link';
import { useState } from 'react';
import { type ApiOutputs, useTRPC } from '@/app/_trpc/api';
import { errorCode } from '@/app/_trpc/client';
import { Button } from '@/app/_ui/button';
import { Loading } from '@/app/_ui/loading';
import { Problem } from '@/app/_ui/problem';
import { BuilderProvider } from './builder-context';
import { BuilderFrame } from './builder-frame';
import { createDocumentStore } from './document-store';
import { createUiStore } from './ui-store';

/** Fetches a pipeline and opens it. */
export function BuilderPage({ id }: { id: string }) {
  const trpc = useTRPC();
  const pipeline = useQuery(trpc.pipelines.get.queryOptions({ id }));
  if (pipeline.data) return <Builder stored={pipeline.data} />;
  if (pipeline.isPending) return <Loading what="the pipeline" />;
  const gone = errorCode(pipeline.error) === 'NOT_FOUND' || errorCode(pipeline.error) === 'BAD_REQUEST';
  return (
    <div className="mx-auto max-w-lg p-4">
      <Problem
        title={gone ? 'There is no pipeline at this address.' : 'The pipeline could not be loaded.'}
        actions={gone ? null : <Button onClick={() => pipeline.refetch()}>Try again</Button>}
      >
        {gone ? (
          <>
            It may have been deleted.{' '}
            <Link href="/pipelines" className="text-accent underline">
              See all pipelines
            </Link>
          </>
        ) : (
          pipeline.error?.message
        )}
      </Problem>
    </div>
  );
}

function Builder({ stored }: { stored: ApiOutputs['pipelines']['get'] }) {
  const [builder] = useState(() => ({ document: createDocumentStore(stored.document), ui: createUiStore() }));
  return (
    <BuilderProvider value={builder}>
      <ReactFlowProvider>
        <BuilderFrame stored={stored} />
      </ReactFlowProvider>
    </BuilderProvider>
  );
}

'use client';

import { Plus } from 'lucide-react';
import { Button } from '@/app/_ui/button';
import { Loading } from '@/app/_ui/loading';
import { Problem } from '@/app/_ui/problem';
import { PIPELINE_VERSION } from '@/server/core/pipeline/document';
import { TemplateCard } from './template-card';
import { useCreatePipeline, useExamples } from './use-create-pipeline';

/** Everything that a pipeline can start from: nothing, or a template with its reason. */
export function NewPipelinePage() {
  const examples = useExamples();
  const create = useCreatePipeline();
  const empty = { version: PIPELINE_VERSION, nodes: [], edges: [] };
  return (
    <div className="mx-auto grid max-w-6xl grid-cols-[minmax(0,1fr)] gap-4 px-4 py-5">
      <div className="flex flex-wrap items-end gap-3">
        <div className="mr-auto grid gap-1">
          <h1 className="text-title">New pipeline</h1>
          <p className="max-w-prose text-dim">
            A template is a whole experiment: variants beside a baseline, a workload and a reason. Change the model and
            the device to your own.
          </p>
        </div>
        <Button disabled={create.isPending} onClick={() => create.mutate({ name: 'Untitled', document: empty })}>
          <Plus aria-hidden /> Empty pipeline
        </Button>
      </div>
      {examples.isPending ? <Loading what="the templates" /> : null}
      {examples.isError ? (
        <Problem
          title="The templates could not be loaded."
          actions={<Button onClick={() => examples.refetch()}>Try again</Button>}
        >
          {examples.error.message}
        </Problem>
      ) : null}
      <ul className="grid gap-3 md:grid-cols-2">
        {examples.data?.map((example) => (
          <TemplateCard
            key={example.id}
            example={example}
            disabled={create.isPending}
            onUse={() => create.mutate({ name: example.title, document: example.document })}
          />
        ))}
      </ul>
    </div>
  );
}

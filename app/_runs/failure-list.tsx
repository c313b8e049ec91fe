'use client';

import { useMutation } from '@tanstack/react-query';
import { toast } from 'sonner';
import { useTRPC } from '@/app/_trpc/api';
import { Button } from '@/app/_ui/button';
import { Problem } from '@/app/_ui/problem';
import { CauseView } from './cause-view';
import { failuresOf } from './failures';
import type { LiveState } from './live-state';
import type { ExperimentDetail } from './views';

export function FailureList({ detail, live }: { detail: ExperimentDetail; live: LiveState }) {
  const trpc = useTRPC();
  const retry = useMutation(
    trpc.experiments.retryBlock.mutationOptions({
      onError: (error) => toast.error(`The block was not queued again: ${error.message}`),
    }),
  );
  const failures = failuresOf(detail, live);
  if (failures.length === 0) return null;
  const retriable = (block: number | null) => detail.blocks.some((b) => b.index === block && b.state === 'failed');
  return (
    <div className="grid gap-2">
      {failures.map((failure) => (
        <Problem
          key={failure.key}
          title={failure.title}
          actions={
            failure.block !== null && retriable(failure.block) ? (
              <Button
                size="sm"
                disabled={retry.isPending}
                onClick={() => retry.mutate({ id: detail.id, block: failure.block ?? 0 })}
              >
                Run block {failure.block + 1} again
              </Button>
            ) : null
          }
        >
          <CauseView cause={failure.cause} pipelineId={detail.pipelineId} />
        </Problem>
      ))}
    </div>
  );
}

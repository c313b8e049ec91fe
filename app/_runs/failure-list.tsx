'use client';

import { useMutation } from '@tanstack/react-query';
import { toast } from 'sonner';
import { useTRPC } from '@/app/_trpc/api';
import { Button } from '@/app/_ui/button';
import { Problem } from '@/app/_ui/problem';
import type { TrialOutcome } from '@/server/core/run/trial';
import { CauseView } from './cause-view';
import type { LiveState } from './live-state';
import type { ExperimentDetail } from './views';

type Cause = NonNullable<TrialOutcome['cause']>;
interface Failure {
  key: string;
  title: string;
  cause: Cause;
  /** The block to run again; null where it still runs. */
  block: number | null;
}

/** One failure a plan and cause, however many blocks it broke: saying it three times helps nobody. */
function failuresOf(detail: ExperimentDetail, live: LiveState): Failure[] {
  const found = new Map<string, Failure & { blocks: Set<number> }>();
  for (const trial of Object.values(live.trials)) {
    if (trial.state !== 'failed' || trial.superseded || !trial.cause) continue;
    const label = detail.spec.arms[trial.arm]?.label ?? `plan ${trial.arm}`;
    const key = `${label}/${trial.cause.code}/${trial.cause.message}`;
    const known = found.get(key) ?? { key, title: label, cause: trial.cause, block: trial.block, blocks: new Set() };
    known.blocks.add(trial.block);
    found.set(key, known);
  }
  for (const block of detail.blocks) {
    if (block.state !== 'failed' || !block.cause) continue;
    const known = [...found.values()].some((failure) => failure.blocks.has(block.index));
    if (known) continue;
    const key = `block ${block.index}`;
    found.set(key, { key, title: '', cause: block.cause, block: block.index, blocks: new Set([block.index]) });
  }
  return [...found.values()].map(({ blocks, ...failure }) => {
    const where = `block ${[...blocks].map((b) => b + 1).join(', ')}`;
    return { ...failure, title: failure.title ? `${failure.title} failed in ${where}.` : `Failed: ${where}.` };
  });
}

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

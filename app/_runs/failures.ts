import type { TrialOutcome } from '@/server/core/run/trial';
import type { LiveState } from './live-state';
import type { ExperimentDetail } from './views';

/** The parts of `experiments.get` that name plans and blocks. */
export interface FailureSource {
  spec: { arms: readonly { label: string }[] };
  blocks: readonly Pick<ExperimentDetail['blocks'][number], 'index' | 'state' | 'cause'>[];
}

type Cause = NonNullable<TrialOutcome['cause']>;
export interface Failure {
  key: string;
  title: string;
  cause: Cause;
  /** The block to run again; null where it still runs. */
  block: number | null;
}

/** One failure a plan and cause, however many blocks it broke: saying it three times helps nobody. */
export function failuresOf(detail: FailureSource, live: LiveState): Failure[] {
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

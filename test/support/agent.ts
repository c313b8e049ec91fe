import { outcomeDigest } from '@/server/core/run/outcome-digest';
import type { ClaimedBlock } from '@/server/core/run/protocol';
import type { TrialOutcome } from '@/server/core/run/trial';
import { claimBlock } from '@/server/services/claims';
import { finishTrial } from '@/server/services/finishes';
import type { makeWorker } from './team';

/** What tests do in an agent's place. */
export type Worker = Awaited<ReturnType<typeof makeWorker>>;

/** Claims a block; fails where there is none. */
export async function claim(worker: Worker): Promise<ClaimedBlock> {
  const claimed = await claimBlock(worker.scope, worker.workerId);
  if (!claimed) throw new Error('nothing to claim');
  return claimed;
}

/** Ids of worker and attempt, as every call of an agent carries them. */
export const held = (worker: Worker, block: ClaimedBlock) => ({
  workerId: worker.workerId,
  attemptId: block.attemptId,
});

export const trialOf = (block: ClaimedBlock, index: number): string => {
  const trial = block.trials[index];
  if (!trial) throw new Error(`the block has no trial ${index}`);
  return trial.trialId;
};

/** Ends the trial at `index` of the block's order. */
export const finish = (worker: Worker, block: ClaimedBlock, index: number, outcome: TrialOutcome, lastAgentSeq = 0) =>
  finishTrial(worker.scope, {
    ...held(worker, block),
    trialId: trialOf(block, index),
    lastAgentSeq,
    digest: outcomeDigest(outcome),
    outcome,
  });

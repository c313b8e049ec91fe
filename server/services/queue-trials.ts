import type { TeamTx } from '../db/team-db';
import type { NewEvent } from './events';

/** Rows of the trials that the block's next attempt will run. */
export async function queueTrials(
  tx: TeamTx,
  teamId: string,
  input: {
    experimentId: string;
    block: { id: string; index: number };
    attemptNumber: number;
    order: readonly number[];
  },
): Promise<NewEvent[]> {
  const rows = await tx.trial.createManyAndReturn({
    data: input.order.map((armIndex, position) => ({
      teamId,
      experimentId: input.experimentId,
      blockId: input.block.id,
      attemptNumber: input.attemptNumber,
      armIndex,
      position,
    })),
    select: { id: true, armIndex: true },
  });
  return rows.map((row) => ({
    trialId: row.id,
    body: {
      kind: 'trial',
      arm: row.armIndex,
      block: input.block.index,
      attempt: input.attemptNumber,
      state: 'queued',
      superseded: false,
      worker: null,
    },
  }));
}

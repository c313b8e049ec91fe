import type { TeamTx } from '../db/team-db';
import type { NewEvent } from './events';
import { trialEvent } from './trial-event';

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
  });
  return rows.map((row) => trialEvent(row, input.block.index));
}

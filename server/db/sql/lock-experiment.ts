import type { TeamTx } from '../team-db';

/** Locks the experiment's row, after its attempts and blocks: whoever ends the last block sees all others ended. */
export async function lockExperiment(tx: TeamTx, teamId: string, experimentId: string): Promise<void> {
  await tx.$queryRaw`
    SELECT 1 FROM "experiment" WHERE "teamId" = ${teamId}::uuid AND "id" = ${experimentId}::uuid FOR UPDATE`;
}

import type { TeamTx } from '../team-db';

/** Locks all blocks of an experiment, in their order. */
export async function lockBlocks(tx: TeamTx, teamId: string, experimentId: string): Promise<void> {
  await tx.$queryRaw`
    SELECT 1 FROM "block" WHERE "teamId" = ${teamId}::uuid AND "experimentId" = ${experimentId}::uuid
    ORDER BY "index" FOR UPDATE`;
}

import type { TeamTx } from '../team-db';

/** Locks a worker's row: two claims of one worker come one after the other. */
export async function lockWorker(tx: TeamTx, teamId: string, workerId: string): Promise<void> {
  await tx.$queryRaw`
    SELECT 1 FROM "worker" WHERE "teamId" = ${teamId}::uuid AND "id" = ${workerId}::uuid FOR UPDATE`;
}

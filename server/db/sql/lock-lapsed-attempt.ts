import type { TeamTx } from '../team-db';

/** Locks an attempt whose lease is still over; a heartbeat that came first has saved it, and false is returned. */
export async function lockLapsedAttempt(tx: TeamTx, teamId: string, attemptId: string): Promise<boolean> {
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM "attempt"
    WHERE "teamId" = ${teamId}::uuid AND "id" = ${attemptId}::uuid
      AND "state" = 'running' AND "leaseUntil" < clock_timestamp()
    FOR UPDATE SKIP LOCKED`;
  return rows.length === 1;
}

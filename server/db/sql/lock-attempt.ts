import type { TeamTx } from '../team-db';

export interface LockedAttempt {
  id: string;
  blockId: string;
  experimentId: string;
  number: number;
  state: 'running' | 'succeeded' | 'failed' | 'lost' | 'cancelled';
  lastAgentSeq: number;
  /** It is the block's current attempt and still running. */
  holds: boolean;
}

/** Locks an attempt of this worker for the transaction, so that its appends and finishes come one after another. */
export async function lockAttempt(
  tx: TeamTx,
  teamId: string,
  attemptId: string,
  workerId: string,
): Promise<LockedAttempt | null> {
  const rows = await tx.$queryRaw<LockedAttempt[]>`
    SELECT a."id"::text, a."blockId"::text, b."experimentId"::text, a."number", a."state"::text, a."lastAgentSeq",
           (a."state" = 'running' AND b."state" = 'running' AND b."attempt" = a."number") AS "holds"
    FROM "attempt" a
    JOIN "block" b ON b."teamId" = a."teamId" AND b."id" = a."blockId"
    WHERE a."teamId" = ${teamId}::uuid AND a."id" = ${attemptId}::uuid AND a."workerId" = ${workerId}::uuid
    FOR UPDATE OF a`;
  return rows[0] ?? null;
}

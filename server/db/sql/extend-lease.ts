import type { TeamTx } from '../team-db';

/** Extends the lease of the current attempt of its block. False where this worker does not hold it (any more). */
export async function extendLease(
  tx: TeamTx,
  teamId: string,
  attempt: { id: string; workerId: string; leaseMs: number },
): Promise<boolean> {
  const count = await tx.$executeRaw`
    UPDATE "attempt" a
    SET "leaseUntil" = clock_timestamp() + ${attempt.leaseMs} * interval '1 millisecond'
    FROM "block" b
    WHERE a."teamId" = ${teamId}::uuid
      AND a."id" = ${attempt.id}::uuid
      AND a."workerId" = ${attempt.workerId}::uuid
      AND a."state" = 'running'
      AND b."teamId" = a."teamId" AND b."id" = a."blockId" AND b."attempt" = a."number" AND b."state" = 'running'`;
  return count === 1;
}

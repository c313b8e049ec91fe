import type { TeamTx } from '../team-db';

/** Opens an attempt with a lease by the database's clock. Returns its id. */
export async function insertAttempt(
  tx: TeamTx,
  teamId: string,
  attempt: { id: string; blockId: string; number: number; workerId: string; leaseMs: number },
): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO "attempt" ("id", "teamId", "blockId", "number", "workerId", "leaseUntil")
    VALUES (${attempt.id}::uuid, ${teamId}::uuid, ${attempt.blockId}::uuid, ${attempt.number}, ${attempt.workerId}::uuid,
            clock_timestamp() + ${attempt.leaseMs} * interval '1 millisecond')`;
}

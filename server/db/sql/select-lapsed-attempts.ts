import type { PrismaClient } from '../generated/client';

/** Attempts of all teams whose lease is over by the database's clock. The sweep then takes each in its team's scope. */
export async function selectLapsedAttempts(
  db: Pick<PrismaClient, '$queryRaw'>,
  limit: number,
): Promise<{ id: string; teamId: string; workerId: string }[]> {
  return db.$queryRaw`
    SELECT "id"::text, "teamId"::text, "workerId"::text FROM "attempt"
    WHERE "state" = 'running' AND "leaseUntil" < clock_timestamp()
    ORDER BY "leaseUntil"
    LIMIT ${limit}`;
}

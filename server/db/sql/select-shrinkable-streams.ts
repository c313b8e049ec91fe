import type { PrismaClient } from '../generated/client';

/** Streams of all teams whose experiment ended a while ago and that still hold every event. */
export async function selectShrinkableStreams(
  db: Pick<PrismaClient, '$queryRaw'>,
  endedForS: number,
  limit: number,
): Promise<{ id: string; teamId: string; experimentId: string }[]> {
  return db.$queryRaw`
    SELECT s."id"::text, s."teamId"::text, s."experimentId"::text
    FROM "stream" s
    JOIN "experiment" e ON e."teamId" = s."teamId" AND e."id" = s."experimentId"
    WHERE s."shrunkAt" IS NULL
      AND e."state" IN ('succeeded', 'failed', 'cancelled')
      AND e."finishedAt" < now() - ${endedForS} * interval '1 second'
    LIMIT ${limit}`;
}

import type { TeamTx } from '../team-db';

/**
 * Binds an experiment to the hardware of its first claim and sets it running; `first` says that it was not before.
 * Null where another worker's hardware was bound meanwhile, or the experiment was cancelled.
 */
export async function bindExperiment(
  tx: TeamTx,
  teamId: string,
  experimentId: string,
  fingerprint: string,
): Promise<{ first: boolean } | null> {
  const rows = await tx.$queryRaw<{ first: boolean }[]>`
    WITH "before" AS (
      SELECT "id", "state" FROM "experiment"
      WHERE "teamId" = ${teamId}::uuid AND "id" = ${experimentId}::uuid FOR UPDATE
    )
    UPDATE "experiment" e
    SET "fingerprint" = ${fingerprint},
        "state" = 'running',
        "startedAt" = COALESCE(e."startedAt", clock_timestamp())
    FROM "before"
    WHERE e."teamId" = ${teamId}::uuid
      AND e."id" = "before"."id"
      AND e."state" IN ('queued', 'running')
      AND e."cancelRequestedAt" IS NULL
      AND (e."fingerprint" IS NULL OR e."fingerprint" = ${fingerprint})
    RETURNING ("before"."state" = 'queued') AS "first"`;
  return rows[0] ?? null;
}

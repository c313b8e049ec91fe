import type { TeamTx } from '../team-db';

export interface ClaimableBlock {
  id: string;
  experimentId: string;
  index: number;
  attempt: number;
}

/** Locks the oldest queued block that this worker can run; blocks that others are claiming are stepped over. */
export async function selectClaimableBlock(
  tx: TeamTx,
  teamId: string,
  worker: { fingerprint: string; capabilities: string[]; gpus: number },
): Promise<ClaimableBlock | null> {
  const rows = await tx.$queryRaw<ClaimableBlock[]>`
    SELECT b."id"::text, b."experimentId"::text, b."index", b."attempt"
    FROM "block" b
    JOIN "experiment" e ON e."teamId" = b."teamId" AND e."id" = b."experimentId"
    WHERE b."teamId" = ${teamId}::uuid
      AND b."state" = 'queued'
      AND e."state" IN ('queued', 'running')
      AND e."cancelRequestedAt" IS NULL
      AND (e."fingerprint" IS NULL OR e."fingerprint" = ${worker.fingerprint})
      AND e."requirements" <@ ${worker.capabilities}::text[]
      AND e."gpus" <= ${worker.gpus}
    ORDER BY e."number", b."index"
    LIMIT 1
    FOR UPDATE OF b SKIP LOCKED`;
  return rows[0] ?? null;
}

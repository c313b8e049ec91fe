import type { PrismaClient } from '../generated/client';

/** Drops request records that are older than their team keeps them. Returns how many points lost theirs. */
export async function deleteOldRecords(db: Pick<PrismaClient, '$executeRaw'>): Promise<number> {
  return db.$executeRaw`
    UPDATE "point" p SET "records" = NULL
    FROM "team" t
    WHERE t."id" = p."teamId" AND p."records" IS NOT NULL
      AND p."createdAt" < now() - t."rawRetentionDays" * interval '1 day'`;
}

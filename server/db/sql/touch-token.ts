import type { PrismaClient } from '../generated/client';

/** Notes that a token was used, at most once a minute. */
export async function touchToken(
  db: Pick<PrismaClient, '$executeRaw'>,
  teamId: string,
  tokenId: string,
): Promise<void> {
  await db.$executeRaw`
    UPDATE "token" SET "lastUsedAt" = now()
    WHERE "teamId" = ${teamId}::uuid AND "id" = ${tokenId}::uuid
      AND ("lastUsedAt" IS NULL OR "lastUsedAt" < now() - interval '1 minute')`;
}

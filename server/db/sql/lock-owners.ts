import type { TeamTx } from '../team-db';

/** Locks the rows of a team's owners and gives their ids: two removals at once cannot leave a team without one. */
export async function lockOwners(tx: TeamTx, teamId: string): Promise<string[]> {
  const rows = await tx.$queryRaw<{ userId: string }[]>`
    SELECT "userId" FROM "member" WHERE "teamId" = ${teamId}::uuid AND "role" = 'owner' ORDER BY "userId" FOR UPDATE`;
  return rows.map((row) => row.userId);
}

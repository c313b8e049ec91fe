import type { TeamTx } from '../team-db';

/** Hands out the team's next experiment number, in the transaction that inserts the experiment. */
export async function nextExperimentNumber(tx: TeamTx, teamId: string): Promise<number> {
  const rows = await tx.$queryRaw<{ number: number }[]>`
    UPDATE "team" SET "lastExperimentNumber" = "lastExperimentNumber" + 1
    WHERE "id" = ${teamId}::uuid RETURNING "lastExperimentNumber" AS "number"`;
  const row = rows[0];
  if (!row) throw new Error(`Team ${teamId} does not exist.`);
  return row.number;
}

import type { TeamTx } from '../team-db';

/**
 * Hands out `count` numbers of an experiment's stream, in the transaction that inserts the events. The row's lock is
 * held until that commits: commit order is number order, without gaps. Take it last in a transaction.
 */
export async function reserveSeqs(
  tx: TeamTx,
  teamId: string,
  experimentId: string,
  count: number,
): Promise<{ streamId: string; first: number }> {
  const rows = await tx.$queryRaw<{ id: string; seq: number }[]>`
    UPDATE "stream" SET "seq" = "seq" + ${count}
    WHERE "teamId" = ${teamId}::uuid AND "experimentId" = ${experimentId}::uuid
    RETURNING "id"::text, "seq"`;
  const row = rows[0];
  if (!row) throw new Error(`Experiment ${experimentId} has no stream.`);
  return { streamId: row.id, first: row.seq - count + 1 };
}

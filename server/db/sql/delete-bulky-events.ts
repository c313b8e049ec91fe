import type { TeamTx } from '../team-db';

/** Deletes one-second rows, log lines and points of a stream: the trials' own rows hold them by now. */
export async function deleteBulkyEvents(tx: TeamTx, teamId: string, streamId: string): Promise<number> {
  return tx.$executeRaw`
    DELETE FROM "event"
    WHERE "teamId" = ${teamId}::uuid AND "streamId" = ${streamId}::uuid
      AND "body"->>'kind' IN ('second', 'log', 'point', 'effective')`;
}

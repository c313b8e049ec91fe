import type { TeamTx } from '../team-db';

export interface StoredEvent {
  seq: number;
  trialId: string | null;
  body: unknown;
  createdAt: Date;
}

/** Events of one stream after a number, in order. */
export async function selectEvents(
  tx: TeamTx,
  teamId: string,
  streamId: string,
  after: number,
  limit: number,
): Promise<StoredEvent[]> {
  return tx.$queryRaw<StoredEvent[]>`
    SELECT "seq", "trialId"::text, "body", "createdAt" FROM "event"
    WHERE "teamId" = ${teamId}::uuid AND "streamId" = ${streamId}::uuid AND "seq" > ${after}
    ORDER BY "seq" LIMIT ${limit}`;
}

import { type StreamBody, type StreamEvent, streamEventSchema } from '../core/run/stream';
import { insertEvents } from '../db/sql/insert-events';
import { reserveSeqs } from '../db/sql/reserve-seqs';
import { type StoredEvent, selectEvents } from '../db/sql/select-events';
import type { TeamDb, TeamTx } from '../db/team-db';
import { notifyStream } from './nudges';

export interface NewEvent {
  trialId: string | null;
  body: StreamBody;
  /** The agent's own number, where an agent sent it. */
  agent?: { attemptId: string; agentSeq: number };
}

/**
 * Appends events to an experiment's stream and notifies its readers at commit. Call it last in a transaction: the
 * stream's row stays locked until the end.
 */
export async function appendEvents(
  tx: TeamTx,
  teamId: string,
  experimentId: string,
  events: readonly NewEvent[],
): Promise<void> {
  if (events.length === 0) return;
  const { streamId, first } = await reserveSeqs(tx, teamId, experimentId, events.length);
  const rows = events.map((event, i) => ({
    seq: first + i,
    attemptId: event.agent?.attemptId ?? null,
    agentSeq: event.agent?.agentSeq ?? null,
    trialId: event.trialId,
    body: event.body,
  }));
  await insertEvents(tx, teamId, streamId, rows);
  await notifyStream(tx, streamId);
}

const toEvent = (row: StoredEvent): StreamEvent =>
  streamEventSchema.parse({ seq: row.seq, at: row.createdAt.toISOString(), trialId: row.trialId, body: row.body });

/** Events after a number, in order. */
export async function readEvents(
  db: TeamDb | TeamTx,
  teamId: string,
  streamId: string,
  after: number,
  limit: number,
): Promise<StreamEvent[]> {
  return (await selectEvents(db, teamId, streamId, after, limit)).map(toEvent);
}

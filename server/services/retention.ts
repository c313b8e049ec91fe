import { systemDb } from '../db/client';
import { deleteBulkyEvents } from '../db/sql/delete-bulky-events';
import { deleteOldRecords } from '../db/sql/delete-old-records';
import { lockExperiment } from '../db/sql/lock-experiment';
import { selectShrinkableStreams } from '../db/sql/select-shrinkable-streams';
import { teamScope } from './scope';
import { keepHistory } from './trial-history';

/** Time that pages have to read the last events before the stream is shortened. */
const ENDED_FOR_S = 60;
const AT_ONCE = 20;

/** Shortens the streams of ended experiments to phases, findings and ends. Returns how many. */
export async function shrinkStreams(endedForS = ENDED_FOR_S): Promise<number> {
  const streams = await selectShrinkableStreams(systemDb(), endedForS, AT_ONCE);
  for (const stream of streams) {
    const { teamId, experimentId } = stream;
    const { db } = teamScope(teamId, { kind: 'system', id: null, name: 'retention' });
    await db.$transaction(async (tx) => {
      await lockExperiment(tx, teamId, experimentId);
      const experiment = await tx.experiment.findFirstOrThrow({ where: { id: experimentId }, select: { state: true } });
      // A block was queued again meanwhile.
      if (experiment.state === 'queued' || experiment.state === 'running') return;
      const trials = await tx.trial.findMany({ where: { experimentId }, select: { id: true } });
      for (const trial of trials) await keepHistory(tx, teamId, trial.id);
      await deleteBulkyEvents(tx, teamId, stream.id);
      await tx.stream.update({ where: { id: stream.id }, data: { shrunkAt: new Date() } });
    });
  }
  return streams.length;
}

/** Drops what is kept for a time only. */
export async function dropExpired(): Promise<{ records: number; sessions: number; links: number }> {
  const db = systemDb();
  const now = new Date();
  const records = await deleteOldRecords(db);
  const sessions = await db.session.deleteMany({ where: { expiresAt: { lt: now } } });
  const links = await db.oneTimeLink.deleteMany({ where: { expiresAt: { lt: now } } });
  return { records, sessions: sessions.count, links: links.count };
}

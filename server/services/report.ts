import type { Report } from '../core/run/report';
import type { TeamDb, TeamTx } from '../db/team-db';

/** The report's sentence and stamp, for lists. */
export async function summarize(
  _tx: TeamTx,
  _experimentId: string,
): Promise<{ sentence: string | null; stamp: string | null }> {
  return { sentence: null, stamp: null };
}
export async function reportOf(_db: TeamDb, _experimentId: string): Promise<Report | null> {
  return null;
}

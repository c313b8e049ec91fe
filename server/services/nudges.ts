import type { TeamTx } from '../db/team-db';

/** What a team's other tabs should fetch again. */
export const TOPICS = ['pipelines', 'experiments', 'workers', 'tokens', 'secrets', 'members'] as const;
export type Topic = (typeof TOPICS)[number];

export interface Nudge {
  topic: Topic;
  id: string | null;
}

export const CHANNEL = 'inferloom';

/** One notification, sent by PostgreSQL when the transaction commits: ids only. */
export async function notifyTeam(tx: TeamTx, teamId: string, topic: Topic, id: string | null): Promise<void> {
  await tx.$executeRaw`SELECT pg_notify(${CHANNEL}, ${JSON.stringify({ team: teamId, topic, id })})`;
}

export async function notifyStream(tx: TeamTx, streamId: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_notify(${CHANNEL}, ${JSON.stringify({ stream: streamId })})`;
}

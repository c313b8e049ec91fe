import { jsonText } from '../json';
import type { TeamTx } from '../team-db';

export interface EventRow {
  seq: number;
  attemptId: string | null;
  agentSeq: number | null;
  trialId: string | null;
  body: unknown;
}

export async function insertEvents(tx: TeamTx, teamId: string, streamId: string, rows: EventRow[]): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO "event" ("teamId", "streamId", "seq", "attemptId", "agentSeq", "trialId", "body", "createdAt")
    SELECT ${teamId}::uuid, ${streamId}::uuid, e."seq", e."attemptId", e."agentSeq", e."trialId", e."body", clock_timestamp()
    FROM jsonb_to_recordset(${jsonText(rows)}::jsonb)
      AS e("seq" int, "attemptId" uuid, "agentSeq" int, "trialId" uuid, "body" jsonb)`;
}

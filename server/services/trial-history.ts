import { gunzipSync, gzipSync } from 'node:zlib';
import { z } from 'zod';
import type { SecondRow } from '../core/metrics/records';
import { type StreamBody, streamBodySchema } from '../core/run/stream';
import { secondRowSchema } from '../core/run/trial';
import { toJson } from '../db/json';
import type { TeamDb, TeamTx } from '../db/team-db';

const LOG_TAIL_LINES = 200;

type Body<K extends StreamBody['kind']> = Extract<StreamBody, { kind: K }>;

/** Column names once, then rows of values: gzip does the rest (about 1 kB for a minute). */
export function packSeconds(rows: readonly SecondRow[]): Uint8Array<ArrayBuffer> {
  const columns = Object.keys(secondRowSchema.shape) as (keyof SecondRow)[];
  const table = { columns, rows: rows.map((row) => columns.map((column) => row[column])) };
  return new Uint8Array(gzipSync(JSON.stringify(table)));
}

const packedSchema = z.object({ columns: z.array(z.string()), rows: z.array(z.array(z.number().nullable())) });

export function unpackSeconds(bytes: Uint8Array): SecondRow[] {
  const { columns, rows } = packedSchema.parse(JSON.parse(gunzipSync(bytes).toString('utf8')));
  return rows.map((row) => secondRowSchema.parse(Object.fromEntries(columns.map((column, i) => [column, row[i]]))));
}

/** All events of one trial, in order. */
async function bodiesOf(tx: TeamDb | TeamTx, trialId: string): Promise<{ body: StreamBody; createdAt: Date }[]> {
  const rows = await tx.event.findMany({ where: { trialId }, orderBy: { seq: 'asc' } });
  return rows.map((row) => ({ body: streamBodySchema.parse(row.body), createdAt: row.createdAt }));
}

export interface TrialPhase {
  phase: Body<'phase'>['phase'];
  at: Date;
  detail: string | null;
}

export async function readPhases(tx: TeamDb | TeamTx, trialId: string): Promise<TrialPhase[]> {
  const bodies = await bodiesOf(tx, trialId);
  return bodies.flatMap(({ body, createdAt }) =>
    body.kind === 'phase' ? [{ phase: body.phase, at: createdAt, detail: body.detail }] : [],
  );
}

/** Rows of one load level that are still in the stream. */
export function groupSeconds(
  bodies: readonly StreamBody[],
): Map<string, { workload: string; loadIndex: number; rows: SecondRow[] }> {
  const groups = new Map<string, { workload: string; loadIndex: number; rows: SecondRow[] }>();
  for (const body of bodies) {
    if (body.kind !== 'second') continue;
    const key = `${body.workload}#${body.loadIndex}`;
    const group = groups.get(key) ?? { workload: body.workload, loadIndex: body.loadIndex, rows: [] };
    group.rows.push(body.row);
    groups.set(key, group);
  }
  return groups;
}

/** Moves what a trial's events hold into its own rows (one-second rows, points, log tail), so that they may go. */
export async function keepHistory(tx: TeamTx, teamId: string, trialId: string): Promise<void> {
  const bodies = (await bodiesOf(tx, trialId)).map((event) => event.body);
  for (const group of groupSeconds(bodies).values()) {
    const key = { trialId, workload: group.workload, loadIndex: group.loadIndex };
    const seconds = packSeconds(group.rows);
    await tx.point.upsert({
      where: { trialId_workload_loadIndex: key },
      create: { teamId, ...key, seconds },
      update: { seconds },
    });
  }
  const logTail = bodies.flatMap((body) => (body.kind === 'log' ? body.lines : [])).slice(-LOG_TAIL_LINES);
  if (logTail.length > 0) await tx.trial.update({ where: { id: trialId }, data: { logTail } });
}

/** Writes the points of an outcome. `loadIndex` counts the points of one workload in their order. */
export async function writePoints(
  tx: TeamTx,
  teamId: string,
  trialId: string,
  points: readonly { workload: string }[],
): Promise<void> {
  const next = new Map<string, number>();
  for (const point of points) {
    const loadIndex = next.get(point.workload) ?? 0;
    next.set(point.workload, loadIndex + 1);
    const key = { trialId, workload: point.workload, loadIndex };
    const summary = toJson(point);
    await tx.point.upsert({
      where: { trialId_workload_loadIndex: key },
      create: { teamId, ...key, summary },
      update: { summary },
    });
  }
}

export interface SecondsOfLoad {
  workload: string;
  loadIndex: number;
  rows: SecondRow[];
}

/** One-second rows by load level. */
export async function readSeconds(db: TeamDb, trialId: string, ended: boolean): Promise<SecondsOfLoad[]> {
  if (!ended) return [...groupSeconds((await bodiesOf(db, trialId)).map((event) => event.body)).values()];
  const rows = await db.point.findMany({
    where: { trialId, seconds: { not: null } },
    orderBy: [{ workload: 'asc' }, { loadIndex: 'asc' }],
    select: { workload: true, loadIndex: true, seconds: true },
  });
  return rows.map((row) => ({
    workload: row.workload,
    loadIndex: row.loadIndex,
    rows: row.seconds ? unpackSeconds(row.seconds) : [],
  }));
}

import { open, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { type AgentEvent, agentEventSchema } from '@/server/core/run/protocol';
import { trialOutcomeSchema } from '@/server/core/run/trial';

export const finishRecordSchema = z.object({
  trialId: z.string(),
  lastAgentSeq: z.number().int().nonnegative(),
  digest: z.string(),
  outcome: trialOutcomeSchema,
});
/** How a trial ended, as it is kept on the disk until the server has accepted it. */
export type FinishRecord = z.infer<typeof finishRecordSchema>;

/** An event with the line that holds it. */
export interface SpooledEvent {
  event: AgentEvent;
  line: string;
  bytes: number;
}

export interface SpoolContent {
  /** From number 1 on without a gap. */
  events: SpooledEvent[];
  /** Not accepted by the server yet. */
  finishes: Map<string, FinishRecord>;
  bytesByTrial: Map<string, number>;
}

/** Ids come from a server: as a folder name they hold only letters, digits, dash and underscore. */
export function safeName(id: string): string {
  if (!/^[A-Za-z0-9_-]{1,100}$/.test(id)) throw new Error(`not an id: ${JSON.stringify(id)}`);
  return id;
}

export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Writes a whole file so that a crash leaves the old one or the new one, never a part. */
export async function writeDurably(file: string, text: string): Promise<void> {
  const temporary = `${file}.new`;
  const handle = await open(temporary, 'w', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(temporary, file);
  await syncFolder(path.dirname(file));
}

/** Null for text that is no JSON, a torn line say. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** What an earlier process left in an attempt's folder. */
export async function readSpool(folder: string): Promise<SpoolContent> {
  const events: SpooledEvent[] = [];
  const finishes = new Map<string, FinishRecord>();
  const bytesByTrial = new Map<string, number>();
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    const trialFolder = path.join(folder, entry.name);
    const found = await readEvents(path.join(trialFolder, 'events.jsonl'));
    events.push(...found);
    bytesByTrial.set(
      entry.name,
      found.reduce((sum, e) => sum + e.bytes, 0),
    );
    const finish = await readFinish(trialFolder);
    if (finish !== null) finishes.set(finish.trialId, finish);
  }
  events.sort((a, b) => a.event.agentSeq - b.event.agentSeq);
  const gap = events.findIndex((e, i) => e.event.agentSeq !== i + 1);
  return { events: gap < 0 ? events : events.slice(0, gap), finishes, bytesByTrial };
}

/** Reads whole lines. A torn last line was never sent: it is cut off, so that what follows starts on a line of its own. */
async function readEvents(file: string): Promise<SpooledEvent[]> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const events: SpooledEvent[] = [];
  let goodChars = 0;
  for (const line of text.split(/(?<=\n)/)) {
    const parsed = line.endsWith('\n') ? agentEventSchema.safeParse(parseJson(line)) : null;
    if (!parsed?.success) break;
    events.push({ event: parsed.data, line, bytes: Buffer.byteLength(line) });
    goodChars += line.length;
  }
  if (goodChars < text.length) await writeFile(file, text.slice(0, goodChars));
  return events;
}

async function readFinish(trialFolder: string): Promise<FinishRecord | null> {
  const isDone = await readFile(path.join(trialFolder, 'finished')).then(
    () => true,
    () => false,
  );
  if (isDone) return null;
  const text = await readFile(path.join(trialFolder, 'finish.json'), 'utf8').catch(() => '');
  const parsed = finishRecordSchema.safeParse(parseJson(text));
  return parsed.success ? parsed.data : null;
}

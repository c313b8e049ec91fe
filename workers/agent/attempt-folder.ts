import { mkdir, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { parseJson, safeName, writeDurably } from './spool-files';

/** What a restarted agent needs to send what is left of an attempt. Secrets are never in it. */
const attemptRecordSchema = z.object({
  serverUrl: z.string(),
  workerId: z.string(),
  attemptId: z.string(),
  experimentId: z.string(),
});
export type AttemptRecord = z.infer<typeof attemptRecordSchema>;

export const attemptFolder = (workDir: string, attemptId: string): string =>
  path.join(workDir, 'attempts', safeName(attemptId));

export async function saveAttempt(workDir: string, record: AttemptRecord): Promise<string> {
  const folder = attemptFolder(workDir, record.attemptId);
  await mkdir(folder, { recursive: true });
  await writeDurably(path.join(folder, 'attempt.json'), JSON.stringify(record));
  return folder;
}

/** Attempts of this server that an earlier agent in this folder did not bring to their end. */
export async function leftAttempts(workDir: string, serverUrl: string): Promise<AttemptRecord[]> {
  const root = path.join(workDir, 'attempts');
  const found: AttemptRecord[] = [];
  for (const name of await readdir(root).catch(() => [])) {
    const text = await readFile(path.join(root, name, 'attempt.json'), 'utf8').catch(() => '');
    const parsed = attemptRecordSchema.safeParse(parseJson(text));
    if (parsed.success && parsed.data.serverUrl === serverUrl) found.push(parsed.data);
  }
  return found;
}

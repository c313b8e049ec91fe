import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { readAllProcesses, readBootId, readProcess } from '../telemetry/proc';

/** What names a process for good: its pid, when it started, and in which boot; and the same of who started it. */
const ownedSchema = z.object({
  pid: z.number().int().positive(),
  startedAt: z.string(),
  owner: z.object({ pid: z.number().int().positive(), startedAt: z.string() }),
  bootId: z.string().nullable(),
  command: z.string(),
});

/** Leaders of the groups that this process owns now, for the last resort when it ends. */
const owned = new Set<number>();

/** Kills every group that this process still owns. Synchronous: for handlers of 'exit'. */
export function killOwnedNow(): void {
  for (const pid of owned) signalGroup(pid, 'SIGKILL');
}

/** Start time as the system tells it: ticks since boot on Linux, `ps` elsewhere. Null: no such process. */
async function startedAt(pid: number): Promise<string | null> {
  const stat = await readProcess(pid);
  if (stat !== null) return stat.state === 'Z' ? null : String(stat.startTicks);
  if (process.platform === 'linux') return null;
  const ps = await promisify(execFile)('ps', ['-o', 'lstart=', '-p', String(pid)]).catch(() => null);
  const text = ps?.stdout.trim();
  return text === undefined || text === '' ? null : text;
}

const fileOf = (folder: string, pid: number): string => path.join(folder, `${pid}.json`);

/** Writes down that we own the process group led by `pid`, so that a later start can end it if we can't. */
export async function recordProcess(folder: string, pid: number, command: string): Promise<void> {
  owned.add(pid);
  const [started, ownStart, bootId] = await Promise.all([startedAt(pid), startedAt(process.pid), readBootId()]);
  if (started === null || ownStart === null) return;
  await mkdir(folder, { recursive: true });
  const owner = { pid: process.pid, startedAt: ownStart };
  const record: z.infer<typeof ownedSchema> = { pid, startedAt: started, owner, bootId, command };
  await writeFile(fileOf(folder, pid), JSON.stringify(record));
}

export async function forgetProcess(folder: string, pid: number): Promise<void> {
  owned.delete(pid);
  await rm(fileOf(folder, pid), { force: true });
}

/** Sends a signal to a process group; false where none is left. */
export function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-pid, signal);
    return true;
  } catch {
    return false;
  }
}

/** Whether members of a group whose leader is gone are still ours: same session, opened by that leader. */
async function hasLeaderlessMembers(pid: number): Promise<boolean> {
  const all = await readAllProcesses();
  return all.some((p) => p.group === pid && p.session === pid && p.pid !== pid && p.state !== 'Z');
}

/**
 * Ends the process groups that an earlier agent in this folder left behind (it was killed before it could).
 * A pid that now belongs to another process is left alone. Returns the commands that were ended.
 */
export async function killLeftovers(folder: string): Promise<string[]> {
  const bootId = await readBootId();
  const ended: string[] = [];
  for (const name of await readdir(folder).catch(() => [])) {
    const file = path.join(folder, name);
    const text = await readFile(file, 'utf8').catch(() => '');
    const parsed = ownedSchema.safeParse(parseJson(text));
    if (parsed.success && parsed.data.bootId === bootId) {
      const { pid, command, owner } = parsed.data;
      // Another process of ours that works in the same folder looks after its own.
      if ((await startedAt(owner.pid)) === owner.startedAt) continue;
      const started = await startedAt(pid);
      const isOurs = started === null ? await hasLeaderlessMembers(pid) : started === parsed.data.startedAt;
      if (isOurs && signalGroup(pid, 'SIGKILL')) ended.push(command);
    }
    await rm(file, { force: true });
  }
  return ended;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

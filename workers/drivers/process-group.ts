import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { forgetProcess, recordProcess, signalGroup } from './owned-processes';

const TAIL_LINES = 400;
const MAX_LINE_CHARS = 2000;
/** Between SIGTERM and SIGKILL. */
const GRACE_MS = 5000;

export interface ProcessGroup {
  pid: number;
  logTail(): string[];
  exited: Promise<{ code: number | null; signal: string | null }>;
  /** SIGTERM to the whole group, SIGKILL after a grace; settles when the leader is gone and the group is empty. */
  stop(graceMs?: number): Promise<void>;
}

export interface SpawnOptions {
  command: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  cwd: string;
  /** Where the pid is written down for a later start; see owned-processes. */
  ownedFolder: string;
  redact(text: string): string;
  onLine(line: string): void;
}

/** Keeps the last lines of a log, each cut at 2,000 characters. */
export function createLogTail(limit = TAIL_LINES): { push(line: string): void; lines(): string[] } {
  const kept: string[] = [];
  return {
    push: (line) => {
      kept.push(line.length > MAX_LINE_CHARS ? `${line.slice(0, MAX_LINE_CHARS)}…` : line);
      if (kept.length > limit) kept.splice(0, kept.length - limit);
    },
    lines: () => [...kept],
  };
}

/** Calls `onLine` for each line of a stream, the unfinished last one at its end; a line may come in pieces. */
export function readLines(stream: Readable, onLine: (line: string) => void): void {
  let rest = '';
  stream.setEncoding('utf8');
  stream.on('data', (chunk: string) => {
    const parts = (rest + chunk).split(/\r?\n/);
    rest = (parts.pop() ?? '').slice(-64 * 1024);
    for (const part of parts) onLine(part);
  });
  stream.on('end', () => {
    if (rest !== '') onLine(rest);
    rest = '';
  });
}

/**
 * Starts a program as the leader of a process group of its own, its output line by line into `onLine`.
 * Throws where the program cannot be started at all (not found, not executable).
 */
export async function spawnGroup(options: SpawnOptions): Promise<ProcessGroup> {
  const child = spawn(options.command, options.args, {
    cwd: options.cwd,
    env: options.env as NodeJS.ProcessEnv,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const tail = createLogTail();
  const onLine = (raw: string): void => {
    const line = options.redact(raw);
    tail.push(line);
    options.onLine(line);
  };
  readLines(child.stdout, onLine);
  readLines(child.stderr, onLine);
  // 'close' comes after the pipes are drained: the tail then holds the engine's last words.
  const exited = new Promise<{ code: number | null; signal: string | null }>((resolve) => {
    child.once('exit', (code, signal) => {
      const done = (): void => resolve({ code, signal });
      child.once('close', done);
      setTimeout(done, 500).unref();
    });
  });
  await Promise.race([once(child, 'spawn'), once(child, 'error').then(([error]) => Promise.reject(error as Error))]);
  const pid = child.pid as number;
  await recordProcess(options.ownedFolder, pid, options.command);
  return {
    pid,
    logTail: tail.lines,
    exited,
    stop: async (graceMs = GRACE_MS) => {
      await stopGroup(pid, graceMs);
      await exited;
      await forgetProcess(options.ownedFolder, pid);
    },
  };
}

/** Ends a process group: SIGTERM, then SIGKILL for what is left after `graceMs`. */
export async function stopGroup(pid: number, graceMs = GRACE_MS): Promise<void> {
  if (!signalGroup(pid, 'SIGTERM')) return;
  const deadline = performance.now() + graceMs;
  while (performance.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    if (!signalGroup(pid, 0)) return;
  }
  signalGroup(pid, 'SIGKILL');
}

import { type ChildProcess, fork } from 'node:child_process';
import type { Plan } from '@/server/core/plan/plan';
import type { RunningEngine } from '../drivers/driver';
import { displayArgv, withoutFlags } from '../drivers/launch-argv';
import { LaunchError } from '../drivers/launch-error';
import { createLogTail, readLines, stopGroup } from '../drivers/process-group';
import { compareEffective } from './effective-rows';
import { childEnvironment, ENGINE_ENVIRONMENT, entryOf } from './entry';
import type { EffectiveConfiguration } from './http/effective';

const START_TIMEOUT_MS = 10 * 60_000;

export interface EmbeddedLaunch {
  /** Flags only, llama-server's names; `--host`, `--port` and `--api-key` are taken out and set here. */
  argv: readonly string[];
  /** What the plan asks for; compared with what the engine says. */
  settings: Plan['settings'];
  cwd: string;
  log: (line: string) => void;
  signal: AbortSignal;
  /** Key that requests must carry; goes to the child by its environment, where no list of processes shows it. */
  apiKey?: string | null;
  /** Flags of Node itself for the child, `--max-old-space-size=…` for one. */
  execArgv?: readonly string[];
  host?: Readonly<Record<string, string | undefined>>;
}

type Exit = { code: number | null; signal: string | null };

/** Value of a flag in argv, `--flag value` or `--flag=value`. */
function flagValue(argv: readonly string[], flag: string): string | null {
  const at = argv.findIndex((word) => word === flag || word.startsWith(`${flag}=`));
  const word = argv[at];
  if (word === undefined) return null;
  return word === flag ? (argv[at + 1] ?? null) : word.slice(flag.length + 1);
}

/**
 * Starts the embedded engine in a child process and a process group of its own and waits until its model is loaded.
 * Throws LaunchError with the engine's last words. The child leaves by itself when this process dies.
 */
export async function startEmbeddedEngine(launch: EmbeddedLaunch): Promise<RunningEngine> {
  launch.signal.throwIfAborted();
  const began = performance.now();
  const apiKey = launch.apiKey ?? flagValue(launch.argv, '--api-key');
  const args = [...withoutFlags(launch.argv, ['--host', '--port', '--api-key']), '--host', '127.0.0.1', '--port', '0'];
  const entry = entryOf('engine');
  const command = displayArgv(
    ['inferloom-engine', ...args, ...(apiKey === null ? [] : ['--api-key', '[redacted]'])],
    (s) => s,
  );
  const environment: Record<string, string> = {
    ...childEnvironment(launch.host ?? process.env),
    ...entry.env,
    ...ENGINE_ENVIRONMENT,
    ...(apiKey === null ? {} : { LLAMA_API_KEY: apiKey }),
  };
  const child = fork(entry.script, args, {
    cwd: launch.cwd,
    env: environment as NodeJS.ProcessEnv,
    execArgv: [...entry.execArgv, ...(launch.execArgv ?? [])],
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const tail = createLogTail();
  collectOutput(child, (line) => {
    tail.push(line);
    launch.log(line);
  });
  const exited = exitOf(child);
  const port = await readyPort(child, exited, launch.signal, { logTail: tail.lines, command });
  const url = `http://127.0.0.1:${port}`;
  const headers: Record<string, string> = apiKey === null ? {} : { authorization: `Bearer ${apiKey}` };
  return {
    url,
    model: flagValue(launch.argv, '--alias') ?? (flagValue(launch.argv, '--model') ?? '').split('/').pop() ?? '',
    apiKey,
    pid: child.pid ?? null,
    startMs: performance.now() - began,
    command,
    logTail: tail.lines,
    readEffective: async () =>
      compareEffective(launch.settings, await readConfiguration(url, headers), await asksForKey(url)),
    resetCaches: async () => (await fetch(`${url}/inferloom/reset`, { method: 'POST', headers })).ok,
    exited,
    stop: async () => {
      if (child.pid !== undefined) await stopGroup(child.pid);
      await exited;
    },
  };
}

function collectOutput(child: ChildProcess, onLine: (line: string) => void): void {
  if (child.stdout) readLines(child.stdout, onLine);
  if (child.stderr) readLines(child.stderr, onLine);
}

/** 'close' comes after the pipes are drained: the tail then holds the engine's last words. */
function exitOf(child: ChildProcess): Promise<Exit> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ code: null, signal: error.message }));
    child.once('exit', (code, signal) => {
      const done = (): void => resolve({ code, signal });
      child.once('close', done);
      setTimeout(done, 500).unref();
    });
  });
}

async function readyPort(
  child: ChildProcess,
  exited: Promise<Exit>,
  signal: AbortSignal,
  known: { logTail: () => string[]; command: readonly string[] },
): Promise<number> {
  const failed = (code: LaunchError['code'], message: string): LaunchError =>
    new LaunchError(code, message, { logTail: known.logTail(), command: known.command });
  const ready = new Promise<number>((resolve) => {
    child.on('message', (message: { ready?: boolean; port?: number }) => {
      if (message.ready && message.port !== undefined) resolve(message.port);
    });
  });
  const ended = exited.then((how): never => {
    const said = known.logTail().findLast((line) => line.startsWith('embedded engine:')) ?? known.logTail().at(-1);
    const code = how.code === 2 ? 'engine-refused-arguments' : 'engine-exited';
    throw failed(code, said ?? `the engine ended with ${how.signal ?? `code ${how.code}`} before it was ready`);
  });
  const timer = new AbortController();
  const given = AbortSignal.any([signal, timer.signal]);
  const timeout = setTimeout(
    () => timer.abort(failed('start-timeout', 'the engine was not ready after 10 minutes')),
    START_TIMEOUT_MS,
  );
  const aborted = new Promise<never>((_, reject) => {
    given.addEventListener('abort', () => reject(given.reason as Error), { once: true });
  });
  try {
    return await Promise.race([ready, ended, aborted]);
  } catch (error) {
    if (child.pid !== undefined) await stopGroup(child.pid, 1000);
    throw error;
  } finally {
    clearTimeout(timeout);
    ended.catch(() => {});
    aborted.catch(() => {});
  }
}

async function readConfiguration(url: string, headers: Record<string, string>): Promise<EffectiveConfiguration> {
  const response = await fetch(`${url}/inferloom/effective`, { headers });
  if (!response.ok) throw new Error(`the engine answers ${response.status} when asked for its configuration`);
  return (await response.json()) as EffectiveConfiguration;
}

/** Whether a request without a key is refused: seen, not told. */
async function asksForKey(url: string): Promise<boolean> {
  const response = await fetch(`${url}/v1/models`);
  await response.arrayBuffer();
  return response.status === 401;
}

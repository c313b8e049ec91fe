import { type ChildProcess, fork } from 'node:child_process';
import os from 'node:os';
import { generatorEntry } from './entry';
import type { LoadJob, LoadOptions, LoadResult } from './load-types';
import type { FromGenerator, ToGenerator } from './messages';
import { watchServer } from './server-watch';

const STOP_MS = 3000;
/** Nice value asked for: before the engine's compute threads, which share the cores on one host. */
const CLIENT_PRIORITY = -5;

function jobOf(options: LoadOptions): LoadJob {
  const { url, model, apiKey, workload, load, loadIndex, seed, blockIndex, request, maxRequests, onEngineHost } =
    options;
  return { url, model, apiKey, workload, load, loadIndex, seed, blockIndex, request, maxRequests, onEngineHost };
}

function startGenerator(): ChildProcess {
  const entry = generatorEntry();
  // Nothing of the parent's environment but what finds the interpreter: the child holds no token.
  const env = { ...entry.env, PATH: process.env.PATH ?? '', NODE_ENV: process.env.NODE_ENV ?? 'production' };
  const child = fork(entry.file, [], {
    // A larger young generation: fewer collections while streams wait for their stamp.
    execArgv: [...entry.execArgv, '--max-semi-space-size=32'],
    env,
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  raisePriority(child.pid);
  return child;
}

/** A stamp is late when others have the core. Mostly refused to users; the child notes what it got. */
export function raisePriority(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    os.setPriority(pid, CLIENT_PRIORITY);
  } catch {
    // Stays as it is, and is recorded so.
  }
}

/**
 * Puts one load level on an OpenAI-compatible server from a process of its own.
 * @throws when the first request fails, the generator dies, or the signal aborts (AbortError)
 */
export function runLoad(options: LoadOptions): Promise<LoadResult> {
  const { signal } = options;
  if (signal?.aborted) return Promise.reject(new DOMException('the load was stopped', 'AbortError'));
  const child = startGenerator();
  const server = watchServer(options);
  const send = (message: ToGenerator): void => {
    if (child.connected) child.send(message);
  };
  return new Promise<LoadResult>((resolve, reject) => {
    let errors = '';
    let edges: Promise<void> = Promise.resolve();
    let killTimer: NodeJS.Timeout | undefined;
    const onAbort = (): void => {
      send({ kind: 'abort' });
      killTimer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    child.stderr?.on('data', (part: Buffer) => {
      errors = (errors + part.toString()).slice(-2000);
    });
    const settle = (finish: () => void): void => {
      signal?.removeEventListener('abort', onAbort);
      if (child.connected) child.disconnect();
      if (signal?.aborted) reject(new DOMException('the load was stopped', 'AbortError'));
      else finish();
    };
    child.on('message', (message: FromGenerator) => {
      switch (message.kind) {
        case 'ready':
          return send({ kind: 'run', job: jobOf(options) });
        case 'second':
          return options.onSecond?.(server.fill(message.row));
        case 'phase':
          if (message.phase === 'measuring') edges = edges.then(() => server.begin());
          if (message.phase === 'draining') edges = edges.then(() => server.end());
          return options.onPhase?.(message.phase);
        case 'failed':
          return settle(() => reject(new Error(message.message)));
        case 'done': {
          const { kind: _, ...result } = message;
          edges.then(() => settle(() => resolve({ ...result, ...server.result() })), reject);
        }
      }
    });
    child.on('error', (error) => settle(() => reject(error)));
    child.on('exit', (code, name) => {
      clearTimeout(killTimer);
      // After `done` or `failed` this changes nothing: the promise is settled, or waits for the last counters.
      edges.finally(() =>
        settle(() => reject(new Error(`the load generator ended early (${name ?? code}): ${errors}`))),
      );
    });
  });
}

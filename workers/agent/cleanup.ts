import { killOwnedNow } from '../drivers/owned-processes';

/** How long an orderly end may take before engines are killed and the process leaves. */
const ORDERLY_MS = 15_000;

/**
 * Sees to it that no engine outlives this process. SIGINT, SIGTERM and SIGHUP abort `stop` once and leave an orderly
 * end its time; a second one, or a bug that nobody caught, kills the engines at once. 'exit' is the last resort.
 * Returns a function that takes the handlers away.
 */
export function cleanUpOnExit(stop: AbortController): () => void {
  const onSignal = (signal: NodeJS.Signals): void => {
    if (stop.signal.aborted) leave(signal);
    stop.abort(new Error(`stopped by ${signal}`));
    setTimeout(() => leave(signal), ORDERLY_MS).unref();
  };
  const leave = (why: string): void => {
    process.stderr.write(`inferloom: leaving at once (${why})\n`);
    killOwnedNow();
    process.exit(1);
  };
  const onBug = (error: unknown): void => {
    process.stderr.write(`inferloom: ${error instanceof Error ? error.stack : String(error)}\n`);
    killOwnedNow();
    process.exit(1);
  };
  const signals: NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, onSignal);
  process.on('uncaughtException', onBug);
  process.on('unhandledRejection', onBug);
  process.on('exit', killOwnedNow);
  return () => {
    for (const signal of signals) process.off(signal, onSignal);
    process.off('uncaughtException', onBug);
    process.off('unhandledRejection', onBug);
    process.off('exit', killOwnedNow);
  };
}

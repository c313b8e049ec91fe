import type { RunningEngine } from '../drivers/driver';
import { EngineEndedError } from './failure-cause';

/** How long work may take to notice that it was aborted. */
const SETTLE_MS = 5000;

/**
 * Runs `work` while the engine lives. Rejects with EngineEndedError as soon as the engine's process ends, or with the
 * signal's reason when aborted; `work` sees both through its own signal and is given a moment to settle.
 */
export async function whileEngineLives<T>(
  engine: RunningEngine,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const ended = new AbortController();
  void engine.exited.then((how) => ended.abort(new EngineEndedError(how)));
  const both = AbortSignal.any([signal, ended.signal]);
  const aborted = new Promise<never>((_, reject) => {
    const fail = (): void => reject(both.reason);
    if (both.aborted) fail();
    else both.addEventListener('abort', fail, { once: true });
  });
  const working = work(both);
  try {
    return await Promise.race([working, aborted]);
  } catch (error) {
    await Promise.race([working.catch(() => {}), new Promise((resolve) => setTimeout(resolve, SETTLE_MS).unref())]);
    // A request that failed because the engine died tells less than the death itself, which may be seen a moment later.
    if (!both.aborted) await Promise.race([engine.exited, new Promise((resolve) => setTimeout(resolve, 150))]);
    throw both.aborted ? both.reason : error;
  }
}

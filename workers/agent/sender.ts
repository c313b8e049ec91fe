import { MAX_BATCH_BYTES } from '@/server/core/run/protocol';
import type { Spool } from './spool';
import { type WorkerApi, WorkerApiError } from './worker-api';

/** At most two batches a second. */
const BATCH_INTERVAL_MS = 500;
const FIRST_RETRY_MS = 500;
const LAST_RETRY_MS = 15_000;
const SMALLEST_BATCH_BYTES = 16 * 1024;

export interface SenderOptions {
  api: WorkerApi;
  spool: Spool;
  workerId: string;
  attemptId: string;
  /** Ends sending for good: the attempt is lost or the agent stops. */
  signal: AbortSignal;
  /** The server says that the attempt is no longer ours. */
  onLost(reason: string): void;
  onTrouble?(message: string): void;
  batchIntervalMs?: number;
}

export interface Sender {
  /** Something was added to the spool. */
  wake(): void;
  /** Settles when the server holds all events and has accepted all finishes so far; false when sending ended before. */
  drained(): Promise<boolean>;
}

/** Sends durable events in order, then finishes whose events the server holds. One request at a time. */
export function startSender(options: SenderOptions): Sender {
  let wakeUp: () => void = () => {};
  const waiters = new Set<(isDrained: boolean) => void>();
  const stop = (): void => {
    for (const resolve of waiters) resolve(false);
    waiters.clear();
    wakeUp();
  };
  options.signal.addEventListener('abort', stop, { once: true });
  void sendLoop(options, {
    idle: () => {
      for (const resolve of waiters) resolve(true);
      waiters.clear();
      return new Promise<void>((resolve) => {
        wakeUp = resolve;
      });
    },
  }).catch((error: unknown) => {
    options.onTrouble?.(`sending ended: ${error instanceof Error ? error.message : String(error)}`);
    stop();
  });
  return {
    wake: () => wakeUp(),
    drained: async () => {
      if (options.signal.aborted) return false;
      await options.spool.flush();
      const result = new Promise<boolean>((resolve) => waiters.add(resolve));
      wakeUp();
      return result;
    },
  };
}

async function sendLoop(options: SenderOptions, loop: { idle(): Promise<void> }): Promise<void> {
  const state = {
    acknowledged: 0,
    batchBytes: MAX_BATCH_BYTES,
    retryMs: FIRST_RETRY_MS,
    lastBatchAt: Number.NEGATIVE_INFINITY,
  };
  while (!options.signal.aborted) {
    try {
      await options.spool.flush();
      const worked = (await sendBatch(options, state)) || (await sendFinish(options, state));
      state.retryMs = FIRST_RETRY_MS;
      if (!worked) await loop.idle();
    } catch (error) {
      if (options.signal.aborted) return;
      await handle(error, options, state);
    }
  }
}

type SendState = { acknowledged: number; batchBytes: number; retryMs: number; lastBatchAt: number };

async function sendBatch(options: SenderOptions, state: SendState): Promise<boolean> {
  const events = options.spool.durableAfter(state.acknowledged, state.batchBytes);
  if (events.length === 0) return false;
  const interval = options.batchIntervalMs ?? BATCH_INTERVAL_MS;
  await pause(state.lastBatchAt + interval - performance.now(), options.signal);
  if (options.signal.aborted) return true;
  state.lastBatchAt = performance.now();
  const { workerId, attemptId } = options;
  const { lastAgentSeq } = await options.api.append({ workerId, attemptId, events });
  // A server that holds less than it once said (restored from a backup, say) gets the rest again.
  if (lastAgentSeq < (events[0]?.agentSeq ?? 1) - 1) await options.spool.recall();
  state.acknowledged = lastAgentSeq;
  options.spool.acknowledge(lastAgentSeq);
  return true;
}

async function sendFinish(options: SenderOptions, state: SendState): Promise<boolean> {
  const [finish] = options.spool.openFinishes();
  if (finish === undefined) return false;
  const answer = await options.api.finish({ ...finish, workerId: options.workerId, attemptId: options.attemptId });
  if (answer.accepted) {
    await options.spool.markFinished(finish.trialId);
    return true;
  }
  const { missingFrom } = answer;
  const isHeld = (): boolean =>
    missingFrom !== null && options.spool.durableAfter(missingFrom - 1, 1)[0]?.agentSeq === missingFrom;
  if (!isHeld()) await options.spool.recall();
  if (missingFrom === null || !isHeld()) {
    throw new WorkerApiError('refused', `the server refuses the end of trial ${finish.trialId}: event ${missingFrom}`);
  }
  state.acknowledged = missingFrom - 1;
  return true;
}

async function handle(error: unknown, options: SenderOptions, state: SendState): Promise<void> {
  if (!(error instanceof WorkerApiError)) throw error;
  if (error.problem === 'lost') {
    options.onLost(error.message);
    return;
  }
  if (error.problem === 'too-large' && state.batchBytes > SMALLEST_BATCH_BYTES) {
    state.batchBytes = Math.max(SMALLEST_BATCH_BYTES, state.batchBytes / 2);
    return;
  }
  if (error.problem !== 'unavailable' && error.problem !== 'too-many') {
    options.onTrouble?.(error.message);
    options.onLost(error.message);
    return;
  }
  options.onTrouble?.(error.message);
  await pause(error.retryAfterMs ?? state.retryMs * (0.5 + Math.random() / 2), options.signal);
  state.retryMs = Math.min(LAST_RETRY_MS, state.retryMs * 2);
}

/** Waits, or until the signal aborts. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (ms <= 0 || signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done, { once: true });
  });
}

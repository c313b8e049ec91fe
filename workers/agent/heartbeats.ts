import type { Lease } from './lease';
import { pause } from './sender';
import { type WorkerApi, WorkerApiError } from './worker-api';

export interface HeartbeatOptions {
  api: WorkerApi;
  workerId: string;
  attemptId: string;
  lease: Lease;
  heartbeatMs: number;
  signal: AbortSignal;
  onCancel(): void;
  onLost(reason: string): void;
  /** Monotonic ms. */
  now?: () => number;
}

/** After a failed heartbeat the next one comes sooner, so that a short cut does not cost the lease. */
const RETRY_MS = 1000;

/**
 * Keeps the lease of an attempt. After every pause the lease is looked at first: what ran out while this process
 * slept, or while the server could not be reached, is lost, whatever a late answer may say.
 */
export async function keepLease(options: HeartbeatOptions): Promise<void> {
  const now = options.now ?? (() => performance.now());
  const { lease, signal } = options;
  const state = { waitMs: options.heartbeatMs, isCancelled: false };
  while (!signal.aborted) {
    await pause(Math.min(state.waitMs, lease.leftMs(now())), signal);
    if (signal.aborted) return;
    if (!lease.isHeld(now())) return options.onLost('the lease ran out before the server could be reached');
    const lost = await beat(options, state, now);
    if (lost !== null && !signal.aborted) return options.onLost(lost);
  }
}

/** One heartbeat. Returns why the attempt is lost, or null. */
async function beat(
  options: HeartbeatOptions,
  state: { waitMs: number; isCancelled: boolean },
  now: () => number,
): Promise<string | null> {
  const { api, workerId, attemptId, lease, heartbeatMs } = options;
  const sentAt = now();
  try {
    const { answer, leaseMs } = await api.heartbeat({ workerId, attemptId });
    if (answer === 'lost') return 'the server took this attempt back';
    if (!lease.isHeld(now())) return 'the lease ran out while its renewal was under way';
    lease.renew(sentAt, leaseMs);
    state.waitMs = heartbeatMs;
    if (answer === 'cancel' && !state.isCancelled) {
      state.isCancelled = true;
      options.onCancel();
    }
    return null;
  } catch (error) {
    if (!(error instanceof WorkerApiError)) throw error;
    state.waitMs = error.retryAfterMs ?? Math.min(RETRY_MS, heartbeatMs);
    return error.problem === 'unavailable' || error.problem === 'too-many' ? null : error.message;
  }
}

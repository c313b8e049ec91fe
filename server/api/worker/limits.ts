import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { AppError } from '../../errors';

/** Agents send two batches a second; a window with room for a burst after a cut. */
const BATCHES = 30;
const WINDOW_S = 10;

const singletons = globalThis as typeof globalThis & { inferloomBatches?: RateLimiterMemory };

/** Counts a batch of an attempt; over the limit it is refused with the time to wait. */
export async function takeBatch(attemptId: string, responseHeaders: Headers): Promise<void> {
  singletons.inferloomBatches ??= new RateLimiterMemory({ points: BATCHES, duration: WINDOW_S });
  try {
    await singletons.inferloomBatches.consume(attemptId);
  } catch (refused) {
    if (!(refused instanceof RateLimiterRes)) throw refused;
    const retryAfterMs = refused.msBeforeNext;
    responseHeaders.set('retry-after', String(Math.ceil(retryAfterMs / 1000)));
    throw new AppError('too-many-requests', 'At most two batches a second.', { problem: 'too-many', retryAfterMs });
  }
}

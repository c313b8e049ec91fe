import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { hashToken } from '../services/token-secret';

const LIMITS = {
  'sign-in-ip': { points: 5, duration: 60 },
  'sign-in-account': { points: 5, duration: 60 },
  'owner-ip': { points: 5, duration: 60 },
  'link-ip': { points: 10, duration: 60 },
  'api-key': { points: 600, duration: 60 },
} as const;
export type Limit = keyof typeof LIMITS;

const singletons = globalThis as typeof globalThis & { inferloomLimits?: Map<Limit, RateLimiterMemory> };

function limiter(limit: Limit): RateLimiterMemory {
  singletons.inferloomLimits ??= new Map();
  const known = singletons.inferloomLimits.get(limit);
  if (known) return known;
  const made = new RateLimiterMemory(LIMITS[limit]);
  singletons.inferloomLimits.set(limit, made);
  return made;
}

/** Counts one use. Seconds to wait when it is over the limit, null when it may pass. Keys are kept hashed. */
export async function take(limit: Limit, key: string): Promise<number | null> {
  try {
    await limiter(limit).consume(hashToken(key.toLowerCase()));
    return null;
  } catch (refused) {
    if (!(refused instanceof RateLimiterRes)) throw refused;
    return Math.max(1, Math.ceil(refused.msBeforeNext / 1000));
  }
}

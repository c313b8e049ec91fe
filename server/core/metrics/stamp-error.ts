import { z } from 'zod';
import { nearestRank } from './quantile';

/**
 * How far the load client's stamps lie from the instants at which a simulator handed the bytes to the socket, on one
 * host at one number of streams: what a time of this client may be off by, before any server has a part in it.
 */
export const stampErrorSchema = z.object({
  streams: z.number().int().positive(),
  /** Stamps compared. */
  chunks: z.number().int().positive(),
  p50Ms: z.number().nonnegative(),
  p99Ms: z.number().nonnegative(),
});
export type StampError = z.infer<typeof stampErrorSchema>;

const P50_LIMIT_MS = 1;
const P99_LIMIT_MS = 5;

/** @param deviationsMs stamp minus write, ms, either sign; null where nothing was compared */
export function stampErrorOf(streams: number, deviationsMs: readonly number[]): StampError | null {
  if (deviationsMs.length === 0) return null;
  const sorted = Float64Array.from(deviationsMs, Math.abs).sort();
  return { streams, chunks: sorted.length, p50Ms: nearestRank(sorted, 0.5), p99Ms: nearestRank(sorted, 0.99) };
}

/** Small enough to be of no matter: 1 ms at the median, 5 ms at the 99th percentile. */
export const isExact = (error: StampError): boolean => error.p50Ms <= P50_LIMIT_MS && error.p99Ms <= P99_LIMIT_MS;

/** E.g. "0.1 ms (p50) and 1.9 ms (p99) at 64 streams". */
export const describeStampError = ({ streams, p50Ms, p99Ms }: StampError): string =>
  `${p50Ms.toFixed(1)} ms (p50) and ${p99Ms.toFixed(1)} ms (p99) at ${streams} ${streams === 1 ? 'stream' : 'streams'}`;

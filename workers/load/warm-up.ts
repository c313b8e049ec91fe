import { nearestRank } from '@/server/core/metrics/quantile';

const TOLERANCE = 0.05;

/** Whether two medians in a row, each over `size` answers, lie within 5 %. */
export function isStable(e2eMs: readonly number[], size: number): boolean {
  if (e2eMs.length < 2 * size) return false;
  const median = (values: readonly number[]): number => nearestRank(Float64Array.from(values).sort(), 0.5);
  const late = median(e2eMs.slice(-size));
  const early = median(e2eMs.slice(-2 * size, -size));
  return Math.abs(late - early) <= TOLERANCE * early;
}

/** Answers per median: at least three, and one of every client of a closed loop. */
export const stableOver = (concurrency: number): number => Math.max(3, concurrency);

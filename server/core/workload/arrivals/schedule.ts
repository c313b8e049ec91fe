import { createPrng } from '../prng';
import type { Load } from '../workload';
import { constantArrivals } from './constant';
import { poissonArrivals } from './poisson';

/**
 * The whole schedule of one phase, computed before it runs: offsets in ms from the phase's start, rising.
 * Null for a closed loop, where a client's next arrival is the end of its last answer.
 */
export function scheduleArrivals(load: Load, durationMs: number, ...seed: (string | number)[]): number[] | null {
  switch (load.mode) {
    case 'closed':
      return null;
    case 'constant':
      return constantArrivals(load.ratePerS, durationMs);
    case 'poisson':
      return poissonArrivals(load.ratePerS, durationMs, createPrng('arrivals', ...seed));
  }
}

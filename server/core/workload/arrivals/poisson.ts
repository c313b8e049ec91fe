import type { Prng } from '../prng';

/** Arrivals of a Poisson process in [0, durationMs), ms: exponential gaps of mean 1000 ÷ rate. */
export function poissonArrivals(ratePerS: number, durationMs: number, prng: Prng): number[] {
  const times: number[] = [];
  for (let t = 0; ; ) {
    t += (-Math.log(1 - prng.next()) * 1000) / ratePerS;
    if (t >= durationMs) return times;
    times.push(t);
  }
}

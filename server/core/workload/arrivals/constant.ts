/** Evenly spaced arrivals in [0, durationMs), ms; the first comes after half a gap. */
export function constantArrivals(ratePerS: number, durationMs: number): number[] {
  const gapMs = 1000 / ratePerS;
  const count = Math.floor(durationMs / gapMs + 1e-9);
  return Array.from({ length: count }, (_, i) => (i + 0.5) * gapMs);
}

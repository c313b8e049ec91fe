/**
 * Exact percentiles by order statistics (nearest rank) and their distribution-free intervals
 * (David & Nagaraja, Order Statistics, 7.1: the number of samples below a quantile is binomial).
 */
export interface Quantile {
  value: number | null;
  low: number | null;
  high: number | null;
  /** Why the figure is absent or hollow; null if nothing speaks against it. */
  mark: string | null;
}

const CONFIDENCE = 0.95;

/** Samples below which no figure is given: with fewer, the largest one exceeds the quantile in under 95 % of cases. */
export function floorSamples(p: number): number {
  return p <= 0.5 ? 1 : Math.ceil(Math.log(1 - CONFIDENCE) / Math.log(p));
}

/** Samples up to which a figure is drawn hollow: ten expected beyond the quantile. */
export function hollowSamples(p: number): number {
  return Math.round(10 / (1 - p));
}

/** Value at rank ⌈p·n⌉ of values sorted upwards; NaN for none. */
export function nearestRank(sorted: ArrayLike<number>, p: number): number {
  const rank = Math.min(sorted.length, Math.max(1, Math.ceil(p * sorted.length - 1e-9)));
  return sorted[rank - 1] ?? Number.NaN;
}

/** log(k!) for k = 0 … n. */
function logFactorials(n: number): Float64Array {
  const out = new Float64Array(n + 1);
  for (let k = 1; k <= n; k++) out[k] = (out[k - 1] ?? 0) + Math.log(k);
  return out;
}

const EXACT_UP_TO = 5000;

/**
 * Ranks (from 1) whose order statistics enclose the p-quantile with 95 %: low 0 and high n + 1 mean that the
 * sample is too small for that side. Binomial exactly up to 5,000 samples, by its normal limit above.
 */
export function intervalRanks(n: number, p: number): { low: number; high: number } {
  const tail = (1 - CONFIDENCE) / 2;
  if (n > EXACT_UP_TO) {
    const half = 1.959964 * Math.sqrt(n * p * (1 - p));
    return { low: Math.max(0, Math.floor(n * p - half)), high: Math.min(n + 1, Math.ceil(n * p + half) + 1) };
  }
  const fact = logFactorials(n);
  let below = 0;
  let low = 0;
  for (let k = 0; k <= n; k++) {
    const logMass = (fact[n] ?? 0) - (fact[k] ?? 0) - (fact[n - k] ?? 0) + k * Math.log(p) + (n - k) * Math.log(1 - p);
    below += Math.exp(logMass);
    // P(X ≥ low) must miss at most one tail, P(X ≤ high − 1) must hold all but the other.
    if (below <= tail) low = k + 1;
    if (below >= 1 - tail) return { low, high: k + 1 };
  }
  return { low, high: n + 1 };
}

/** The p-quantile of values sorted upwards, with its interval, floor and mark. */
export function quantile(sorted: ArrayLike<number>, p: number): Quantile {
  const n = sorted.length;
  const floor = floorSamples(p);
  const name = `p${+(p * 100).toFixed(1)}`;
  if (n < floor) {
    return { value: null, low: null, high: null, mark: `${n} samples; ${name} needs ${floor}` };
  }
  const { low, high } = intervalRanks(n, p);
  const hollow = n <= hollowSamples(p) ? `only ${n} samples; firm above ${hollowSamples(p)}` : null;
  return {
    value: nearestRank(sorted, p),
    low: low >= 1 ? (sorted[low - 1] ?? null) : null,
    high: high <= n ? (sorted[high - 1] ?? null) : null,
    mark: hollow,
  };
}

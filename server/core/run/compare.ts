import { METRIC_INFO } from '../metrics/metric-info';
import type { Comparison } from './report';
import { twoSidedP, twoSidedQuantile } from './student-t';

/** Looks at the data and the nominal level of each: three looks keep the whole test near 5 % (Pocock 1977). */
const LOOKS = [3, 6, 12] as const;
export const NOMINAL_ALPHA = 0.02;

/** Baseline and variant of one metric in one block; the pair ran back to back. */
export interface BlockPair {
  block: number;
  baseline: number;
  variant: number;
}

/** One metric of one variant. Only primary metrics, named before the run, get a verdict. */
export interface ComparisonInput {
  metric: string;
  primary: boolean;
  pairs: readonly BlockPair[];
}

interface Evidence {
  input: ComparisonInput;
  n: number;
  mean: number;
  /** Standard error of the mean of d; null under two blocks. */
  error: number | null;
  /** Two-sided p of "no difference"; null until the first look. */
  p: number | null;
}

/** Blocks that count at the last look: of 3, 6 and 12 (and the planned number, while under three looks). */
export function blocksAtLook(done: number, planned: number): number {
  const looks: number[] = LOOKS.filter((look) => look <= planned);
  if (looks.length < LOOKS.length && !looks.includes(planned)) looks.push(planned);
  return looks.filter((look) => look <= done && look >= LOOKS[0]).at(-1) ?? done;
}

/** d = ln(variant ÷ baseline) of each pair that has one. */
function logRatios(pairs: readonly BlockPair[]): number[] {
  const usable = pairs.filter((pair) => pair.baseline > 0 && pair.variant > 0);
  return [...usable].sort((a, b) => a.block - b.block).map((pair) => Math.log(pair.variant / pair.baseline));
}

function gather(input: ComparisonInput, planned: number): Evidence | null {
  const all = logRatios(input.pairs);
  const d = all.slice(0, blocksAtLook(all.length, planned));
  const n = d.length;
  if (n === 0) return null;
  const mean = d.reduce((sum, x) => sum + x, 0) / n;
  if (n === 1) return { input, n, mean, error: null, p: null };
  const variance = d.reduce((sum, x) => sum + (x - mean) ** 2, 0) / (n - 1);
  const error = Math.sqrt(variance / n);
  const t = error === 0 ? (mean === 0 ? 0 : Number.POSITIVE_INFINITY) : mean / error;
  return { input, n, mean, error, p: n < LOOKS[0] ? null : twoSidedP(t, n - 1) };
}

/**
 * Holm's step-down over all primary comparisons of an experiment: the level at which each one's interval decides.
 * Those after the first that fails share its level, so that interval and verdict never disagree.
 */
function holmLevels(evidence: readonly Evidence[]): Map<Evidence, number> {
  const family = evidence.filter((e) => e.input.primary && e.p !== null).sort((a, b) => (a.p ?? 1) - (b.p ?? 1));
  const levels = new Map<Evidence, number>();
  let level = 0;
  let stopped = false;
  family.forEach((e, i) => {
    if (!stopped) level = NOMINAL_ALPHA / (family.length - i);
    if ((e.p ?? 1) > level) stopped = true;
    levels.set(e, level);
  });
  return levels;
}

const toPercent = (d: number): number => Math.expm1(d) * 100;

/** What a difference that excludes zero is called: latencies and rates get faster, everything else better. */
function wordFor(metric: string, mean: number): Comparison['verdict'] {
  const info = METRIC_INFO[metric];
  const isGood = info?.better === 'higher' ? mean > 0 : mean < 0;
  if (info?.kind === 'latency' || info?.kind === 'rate') return isGood ? 'faster' : 'slower';
  return isGood ? 'better' : 'worse';
}

const MOST_BLOCKS = 200;

/** Blocks until the interval would exclude zero or lie within the band, if spread and mean stay as they are. */
function blocksToDecide(e: Evidence, level: number, band: number): number {
  const spread = (e.error ?? 0) * Math.sqrt(e.n);
  for (let n = e.n + 1; n <= MOST_BLOCKS; n++) {
    const half = twoSidedQuantile(level, n - 1) * (spread / Math.sqrt(n));
    if (Math.abs(e.mean) > half || Math.abs(e.mean) + half <= band) return n - e.n;
  }
  return MOST_BLOCKS - e.n;
}

function judge(e: Evidence, level: number, band: number): Comparison {
  const changePercent = toPercent(e.mean);
  if (e.error === null) return { changePercent, low: null, high: null, verdict: null, moreBlocks: null };
  const half = twoSidedQuantile(level, e.n - 1) * e.error;
  const [low, high] = [e.mean - half, e.mean + half];
  const shown = { changePercent, low: toPercent(low), high: toPercent(high) };
  if (!e.input.primary) return { ...shown, verdict: null, moreBlocks: null };
  if (e.p === null) return { ...shown, verdict: 'too noisy', moreBlocks: LOOKS[0] - e.n };
  if (low > 0 || high < 0) return { ...shown, verdict: wordFor(e.input.metric, e.mean), moreBlocks: null };
  if (low >= -band && high <= band) return { ...shown, verdict: 'no significant difference', moreBlocks: null };
  return { ...shown, verdict: 'too noisy', moreBlocks: blocksToDecide(e, level, band) };
}

/**
 * Compares variants with the baseline: a t interval over blocks of d = ln(variant ÷ baseline), at the looks of
 * METHODOLOGY ("Comparing"), Holm over the primary ones. With one block: a change, no interval, no verdict.
 * @param equivalencePercent half-width of the band in which a difference counts as none
 * @returns one entry an input; null where no block has both figures above zero
 */
export function compareAll(
  inputs: readonly ComparisonInput[],
  plannedBlocks: number,
  equivalencePercent: number,
): (Comparison | null)[] {
  const evidence = inputs.map((input) => gather(input, plannedBlocks));
  const levels = holmLevels(evidence.filter((e): e is Evidence => e !== null));
  const band = Math.log1p(equivalencePercent / 100);
  return evidence.map((e) => (e === null ? null : judge(e, levels.get(e) ?? NOMINAL_ALPHA, band)));
}

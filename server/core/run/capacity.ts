import { samplesForShare, wilsonInterval } from '../metrics/wilson';
import type { Load } from '../workload/workload';
import type { Capacity } from './report';
import type { Attainment } from './trial';

/** One load level over all of its valid blocks: requests are pooled, each counts the same. */
export interface LevelAttainment {
  loadIndex: number;
  load: Load;
  attainment: readonly Attainment[];
  saturated: boolean;
}

type Capable = NonNullable<Capacity['attainment']>;

/** holds: the lower bound of every limit reaches its percentile. fails: the upper bound of one does not. */
interface JudgedLevel {
  level: LevelAttainment;
  state: 'holds' | 'fails' | 'open';
  /** The limit nearest to failing; null where nothing was measured. */
  nearest: Capable | null;
  text: string;
}

export const loadAmount = (load: Load): number => (load.mode === 'closed' ? load.concurrency : load.ratePerS);
const unitOf = (load: Load): 'requests/s' | 'clients' => (load.mode === 'closed' ? 'clients' : 'requests/s');
/** "8 requests/s" or "4 clients". */
export const loadText = (load: Load): string =>
  `${loadAmount(load)} ${load.mode === 'closed' && load.concurrency === 1 ? 'client' : unitOf(load)}`;

/** Sums of the same limit over blocks, in the order of the first. */
export function poolAttainment(blocks: readonly (readonly Attainment[])[]): Attainment[] {
  const pooled = new Map<string, Attainment>();
  for (const one of blocks.flat()) {
    const key = `${one.metric} ${one.percentile} ${one.limitMs}`;
    const seen = pooled.get(key);
    pooled.set(key, seen ? { ...seen, good: seen.good + one.good, n: seen.n + one.n } : one);
  }
  return [...pooled.values()];
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

function judgeLevel(level: LevelAttainment): JudgedLevel {
  const where = loadText(level.load);
  const limits = level.attainment
    .filter((a) => a.n > 0)
    .map((a) => ({ ...wilsonInterval(a.good, a.n), n: a.n, needed: a.percentile / 100 }))
    .sort((a, b) => a.low - a.needed - (b.low - b.needed));
  const [worst] = limits;
  const nearest = worst ? { share: worst.share, low: worst.low, high: worst.high, n: worst.n } : null;
  if (level.saturated) return { level, state: 'fails', nearest, text: `saturated at ${where}` };
  if (!worst) return { level, state: 'open', nearest, text: `nothing was measured at ${where}` };
  const failing = limits.find((l) => l.high < l.needed);
  if (failing) {
    const text = `${percent(failing.share)} of requests meet the limits at ${where}, ${percent(failing.needed)} must`;
    return { level, state: 'fails', nearest, text };
  }
  if (worst.low >= worst.needed) return { level, state: 'holds', nearest, text: `holds at ${where}` };
  const text = `${worst.n} requests at ${where} don't tell whether ${percent(worst.needed)} meet the limits (${percent(worst.low)}–${percent(worst.high)}; at least ${samplesForShare(worst.needed)} requests are needed)`;
  return { level, state: 'open', nearest, text };
}

/** The reason before anything valid was measured: no news beside the trials' own. */
export const NOT_MEASURED = 'no valid measurement yet';

export type CapacityResult =
  | { capacity: Capacity; reason: null; feasible: true }
  /** feasible false: every level fails; null: cannot be told. */
  | { capacity: null; reason: string; feasible: false | null };

/**
 * Highest load whose attainment holds below the lowest that fails (METHODOLOGY, "capacity"). All levels are of one
 * mode: open and closed loops never share a scale.
 */
export function findCapacity(levels: readonly LevelAttainment[]): CapacityResult {
  const judged = [...levels].sort((a, b) => loadAmount(a.load) - loadAmount(b.load)).map(judgeLevel);
  const edge = judged.findIndex((j) => j.state === 'fails');
  const below = edge < 0 ? judged : judged.slice(0, edge);
  const best = below.filter((j) => j.state === 'holds').at(-1);
  if (!best) {
    if (judged.length === 0) return { capacity: null, reason: NOT_MEASURED, feasible: null };
    const why = (below[0] ?? judged[0])?.text ?? '';
    return { capacity: null, reason: `no capacity: ${why}`, feasible: below.length === 0 ? false : null };
  }
  const { level, nearest } = best;
  const capacity: Capacity = {
    value: loadAmount(level.load),
    kind: edge < 0 ? 'FLOOR' : 'EDGE',
    unit: unitOf(level.load),
    loadIndex: level.loadIndex,
    ...(nearest ? { attainment: nearest } : {}),
  };
  return { capacity, reason: null, feasible: true };
}

import { createHash } from 'node:crypto';

/** A benchmark: one file, one line in `main.ts`. `run` prints nothing; it returns its rows. */
export interface Bench {
  name: string;
  summary: string;
  run(): Promise<BenchRow[]>;
}
/** One figure. `target` is what the project claims, for the reader; nothing fails on it. */
export interface BenchRow {
  what: string;
  unit: string;
  n: number;
  median: number;
  p95: number;
  cpuMs: number | null;
  target: string | null;
}

const DRIFT_LIMIT = 0.15;
const CALIBRATION_ROUNDS = 15;

/** A fixed amount of work on one core: ms of wall-clock, the median of some rounds. */
export function calibrate(): number {
  const block = Buffer.alloc(1 << 20, 7);
  const times = Array.from({ length: CALIBRATION_ROUNDS }, () => {
    const began = performance.now();
    for (let i = 0; i < 8; i++) createHash('sha256').update(block).digest();
    return performance.now() - began;
  });
  return quantile(times, 0.5);
}

/** Whether two calibrations differ by so much that figures between them say nothing. */
export const drifted = (before: number, after: number): boolean => Math.abs(after - before) / before > DRIFT_LIMIT;

export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(q * sorted.length) - 1)] ?? Number.NaN;
}

/** Times cases in turn (A B A B …), so that all see the same machine; ms a run, with CPU time of this process. */
export async function timeInTurn(cases: Readonly<Record<string, () => unknown>>, runs = 30): Promise<BenchRow[]> {
  const wall = new Map(Object.keys(cases).map((what) => [what, [] as number[]]));
  const cpu = new Map(Object.keys(cases).map((what) => [what, 0]));
  for (let i = -2; i < runs; i++) {
    for (const [what, work] of Object.entries(cases)) {
      const began = performance.now();
      const used = process.cpuUsage();
      await work();
      if (i < 0) continue;
      const spent = process.cpuUsage(used);
      wall.get(what)?.push(performance.now() - began);
      cpu.set(what, (cpu.get(what) ?? 0) + (spent.user + spent.system) / 1000 / runs);
    }
  }
  return [...wall].map(([what, times]) => ({
    what,
    unit: 'ms',
    n: times.length,
    median: quantile(times, 0.5),
    p95: quantile(times, 0.95),
    cpuMs: cpu.get(what) ?? null,
    target: null,
  }));
}

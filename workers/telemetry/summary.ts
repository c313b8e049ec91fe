import type { HostCpu } from './proc';

/** One look at the engine and its host. Times are epoch ms; CPU figures only ever grow. */
export interface TelemetrySample {
  atMs: number;
  /** CPU of the engine's process group; null for an endpoint that we don't own. */
  engineCpuMs: number | null;
  engineMemoryBytes: number | null;
  /** CPU of this process and everything below it, engine and load client included. */
  ownCpuMs: number | null;
  host: HostCpu | null;
  /** One-minute load average; null where the system has none. */
  load1: number | null;
}

export interface TelemetrySummary {
  engineCpuMs: number | null;
  peakMemoryBytes: number | null;
  /** Share of all cores' time, 0…1, that went to processes that are not ours. */
  foreignCpuShare: number | null;
  load1Max: number | null;
}

/** Value at `atMs`, linear between the samples around it; null outside of them. */
function valueAt(
  samples: readonly TelemetrySample[],
  atMs: number,
  read: (s: TelemetrySample) => number | null,
): number | null {
  let before: { at: number; value: number } | null = null;
  for (const sample of samples) {
    const value = read(sample);
    if (value === null) continue;
    const here = { at: sample.atMs, value };
    if (here.at >= atMs) {
      if (here.at === atMs || before === null) return here.at === atMs ? here.value : null;
      return before.value + ((here.value - before.value) * (atMs - before.at)) / (here.at - before.at);
    }
    before = here;
  }
  return null;
}

const maximum = (values: readonly (number | null)[]): number | null =>
  values.reduce<number | null>((max, v) => (v === null ? max : max === null || v > max ? v : max), null);

/** What the samples say about one window, `fromMs` to `toMs` in epoch ms. Memory is the peak over all samples. */
export function summarizeTelemetry(
  samples: readonly TelemetrySample[],
  fromMs: number,
  toMs: number,
): TelemetrySummary {
  const spent = (read: (s: TelemetrySample) => number | null): number | null => {
    const start = valueAt(samples, fromMs, read);
    const end = valueAt(samples, toMs, read);
    return start === null || end === null ? null : end - start;
  };
  const total = spent((s) => s.host?.totalMs ?? null);
  const busy = spent((s) => s.host?.busyMs ?? null);
  const own = spent((s) => s.ownCpuMs);
  const share = (part: number | null): number | null =>
    part === null || total === null || total <= 0 ? null : Math.max(0, part / total);
  return {
    engineCpuMs: spent((s) => s.engineCpuMs),
    peakMemoryBytes: maximum(samples.map((s) => s.engineMemoryBytes)),
    foreignCpuShare: share(busy === null || own === null ? null : busy - own),
    load1Max: maximum(samples.filter((s) => s.atMs >= fromMs && s.atMs <= toMs).map((s) => s.load1)),
  };
}

/** Above this a reader must know that the host was not ours alone. Steal is judged by the load client's own checks. */
const FOREIGN_SHARE = 0.1;

/** Sentences about a contended host; empty on a quiet one. */
export function contentionNotes(summary: TelemetrySummary, cores: number): string[] {
  const notes: string[] = [];
  const percent = (share: number): string => `${Math.round(share * 100)} %`;
  if (summary.foreignCpuShare !== null && summary.foreignCpuShare > FOREIGN_SHARE) {
    const load = summary.load1Max === null ? '' : ` (1-minute load ${summary.load1Max.toFixed(1)} on ${cores} cores)`;
    notes.push(`other processes took ${percent(summary.foreignCpuShare)} of the host's CPU time${load}`);
  }
  return notes;
}

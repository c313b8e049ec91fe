import type { CounterSnapshot, EngineUsage, ServerCounters } from '@/server/core/metrics/point-input';
import type { SecondRow } from '@/server/core/metrics/records';
import { scrapeCounters } from './counters';
import type { EngineSample, LoadOptions } from './load-types';

/** Follows the engine's own counters and processes through the window. */
export interface ServerWatch {
  /** First look: the window begins. */
  begin(): Promise<void>;
  /** The last look's server part of a row; starts the next look. */
  fill(row: SecondRow): SecondRow;
  /** Last look: the window has ended. */
  end(): Promise<void>;
  result(): { counters: ServerCounters | null; usage: EngineUsage | null };
}

const difference = (after?: number, before?: number): number | null =>
  after === undefined || before === undefined ? null : after - before;

/** Accepted ÷ drafted between two looks; null where nothing was drafted. */
function acceptance(before: CounterSnapshot | null, after: CounterSnapshot | null): number | null {
  const drafted = difference(after?.draftTokens, before?.draftTokens);
  const accepted = difference(after?.acceptedTokens, before?.acceptedTokens);
  return drafted === null || accepted === null || drafted <= 0 ? null : accepted / drafted;
}

function usageOf(first: EngineSample | null, last: EngineSample | null, peak: number | null): EngineUsage | null {
  if (!first || !last) return null;
  const span = (a: number | null, b: number | null): number | null => (a === null || b === null ? null : b - a);
  return { cpuMs: span(first.cpuMs, last.cpuMs), joules: span(first.joules, last.joules), peakMemoryBytes: peak };
}

export function watchServer(options: LoadOptions): ServerWatch {
  const headers: Record<string, string> = options.apiKey === null ? {} : { authorization: `Bearer ${options.apiKey}` };
  let first: CounterSnapshot | null = null;
  let last: CounterSnapshot | null = null;
  let previous: CounterSnapshot | null = null;
  let firstSample: EngineSample | null = null;
  let lastSample: EngineSample | null = null;
  let kvUsageMax: number | null = null;
  let peakBytes: number | null = null;
  let looking: Promise<void> | null = null;

  const look = async (): Promise<void> => {
    const [counters, sample] = await Promise.all([
      options.counters ? scrapeCounters(options.counters.url, options.counters.names, headers) : null,
      options.sample?.() ?? null,
    ]);
    if (counters) {
      previous = last;
      last = counters;
      if (counters.kvUsage !== undefined) kvUsageMax = Math.max(kvUsageMax ?? 0, counters.kvUsage);
    }
    if (sample) {
      lastSample = sample;
      if (sample.residentBytes !== null) peakBytes = Math.max(peakBytes ?? 0, sample.residentBytes);
    }
  };
  const lookOnce = (): Promise<void> => {
    looking ??= look().finally(() => {
      looking = null;
    });
    return looking;
  };
  return {
    async begin() {
      await looking;
      await lookOnce();
      first = last;
      firstSample = lastSample;
    },
    fill(row) {
      void lookOnce();
      return {
        ...row,
        acceptanceRate: acceptance(previous, last),
        queueDepth: last?.waiting ?? null,
        kvCacheUsage: last?.kvUsage ?? null,
      };
    },
    async end() {
      await looking;
      await lookOnce();
    },
    result: () => ({
      counters: first && last ? { before: first, after: last, kvUsageMax } : null,
      usage: usageOf(firstSample, lastSample, peakBytes),
    }),
  };
}

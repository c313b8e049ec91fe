import { floorSamples, nearestRank } from '@/server/core/metrics/quantile';
import type { RequestRecord, SecondRow } from '@/server/core/metrics/records';
import { requestTimes } from '@/server/core/metrics/request-times';

/** Percentile of one second's samples; null below the floor of that percentile, as everywhere. */
function percentile(values: readonly (number | null)[], p: number): number | null {
  const present = Float64Array.from(values.filter((v): v is number => v !== null)).sort();
  return present.length < floorSamples(p) ? null : nearestRank(present, p);
}

/** Gathers what happened since the last row. `row` closes the second and starts the next. */
export function createSecondCounter(): {
  chunk(chunks: number): void;
  sent(): void;
  ended(record: RequestRecord): void;
  row(t: number): SecondRow;
} {
  let chunks = 0;
  let inFlight = 0;
  let ended: RequestRecord[] = [];
  return {
    chunk: (more) => {
      chunks += more;
    },
    sent: () => {
      inFlight++;
    },
    ended: (record) => {
      inFlight--;
      // Chunks stand for tokens while a stream runs; its end brings the server's own count.
      if (record.outcome === 'ok') chunks += record.outputTokens - record.chunkTimesMs.length;
      ended.push(record);
    },
    row: (t) => {
      const ok = ended.filter((r) => r.outcome === 'ok');
      const times = ok.map(requestTimes);
      const ttft = times.map((x) => x.ttftMs);
      const tpot = times.map((x) => x.tpotMs);
      const row: SecondRow = {
        t,
        outputTokens: Math.max(0, chunks),
        requestsFinished: ok.length,
        inFlight,
        shed: ended.filter((r) => r.outcome === 'shed').length,
        errors: ended.filter((r) => r.outcome === 'error' || r.outcome === 'timeout').length,
        ttftMsP50: percentile(ttft, 0.5),
        ttftMsP99: percentile(ttft, 0.99),
        tpotMsP50: percentile(tpot, 0.5),
        tpotMsP99: percentile(tpot, 0.99),
        e2eMsP50: percentile(
          times.map((x) => x.e2eMs),
          0.5,
        ),
        acceptanceRate: null,
        queueDepth: null,
        kvCacheUsage: null,
      };
      chunks = 0;
      ended = [];
      return row;
    },
  };
}

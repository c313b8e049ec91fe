import type { RequestRecord } from './records';

/** What one answered request says, ms; null where it has no such figure. Definitions: METHODOLOGY in README. */
export interface RequestTimes {
  ttftMs: number | null;
  serviceTtftMs: number | null;
  dispatchLagMs: number;
  tpotMs: number | null;
  e2eMs: number;
}

/** TTFT t1 − a, service TTFT t1 − s, lag s − a, TPOT (tn − t1) ÷ (n − n1) for n > n1, E2E e − a. */
export function requestTimes(record: RequestRecord): RequestTimes {
  const { scheduledMs: a, sentMs: s, firstTokenMs: t1, lastTokenMs: tn, endMs: e } = record;
  const later = record.outputTokens - record.firstChunkTokens;
  return {
    ttftMs: t1 === null ? null : t1 - a,
    serviceTtftMs: t1 === null ? null : t1 - s,
    dispatchLagMs: s - a,
    tpotMs: t1 === null || tn === null || later <= 0 ? null : (tn - t1) / later,
    e2eMs: e - a,
  };
}

/** Raw gaps between chunks: what a reader sees stutter. */
export function chunkGaps(record: RequestRecord): number[] {
  const gaps: number[] = [];
  for (let i = 1; i < record.chunkTimesMs.length; i++) {
    gaps.push((record.chunkTimesMs[i] ?? 0) - (record.chunkTimesMs[i - 1] ?? 0));
  }
  return gaps;
}

/** Gaps between tokens: each chunk's gap spread over the tokens in it. */
export function tokenGaps(record: RequestRecord): number[] {
  return chunkGaps(record).flatMap((gap, i) => {
    const tokens = record.chunkTokens[i + 1] ?? 0;
    return tokens > 0 ? new Array<number>(tokens).fill(gap / tokens) : [];
  });
}

/** Fewer than one chunk per five tokens: the server or a proxy bundles, and token times mean nothing. */
export function isBundled(records: readonly RequestRecord[]): boolean {
  let chunks = 0;
  let tokens = 0;
  for (const record of records) {
    chunks += record.chunkTimesMs.length;
    tokens += record.outputTokens;
  }
  return tokens > 0 && chunks * 5 < tokens;
}

/** How a request ended. Every outcome stays in the denominator. */
export type Outcome = 'ok' | 'shed' | 'error' | 'timeout';

/**
 * One request as the load client saw it. Times are ms since the run's zero on one monotonic clock:
 * scheduled arrival `a`, bytes sent `s`, first content token `t1`, last token `tn`, stream end `e`.
 * Tokens: `n` output tokens (server usage), `n1` of them in the first chunk. Chunk times are kept for ITL and ICL.
 */
export interface RequestRecord {
  index: number;
  /** `drain`: sent after the window to keep the load up while measured requests end; never in a figure. */
  phase: 'warmup' | 'measure' | 'drain';
  scheduledMs: number;
  sentMs: number;
  firstTokenMs: number | null;
  lastTokenMs: number | null;
  endMs: number;
  outcome: Outcome;
  httpStatus: number | null;
  error: string | null;
  inputTokens: number | null;
  cachedTokens: number | null;
  outputTokens: number;
  firstChunkTokens: number;
  requestedOutputTokens: number;
  /** Arrival of each chunk that carried tokens. */
  chunkTimesMs: number[];
  /** Tokens in each of those chunks (same length). */
  chunkTokens: number[];
  /** Queue time in ms where the server reports it. */
  queueMs: number | null;
  /** Output text, kept for the degenerate-output detector only. */
  text: string | null;
}

/** One second of one point, for live charts. Percentiles are over requests that finished in that second. */
export interface SecondRow {
  /** Whole seconds since the point's measuring began (negative: warm-up). */
  t: number;
  outputTokens: number;
  requestsFinished: number;
  inFlight: number;
  shed: number;
  errors: number;
  ttftMsP50: number | null;
  ttftMsP99: number | null;
  tpotMsP50: number | null;
  tpotMsP99: number | null;
  e2eMsP50: number | null;
  acceptanceRate: number | null;
  queueDepth: number | null;
  kvCacheUsage: number | null;
}

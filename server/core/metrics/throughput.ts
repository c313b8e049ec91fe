import type { Slo } from '../workload/workload';
import { nearestRank } from './quantile';
import type { RequestRecord } from './records';
import { requestTimes, tokenGaps } from './request-times';

export interface Window {
  startMs: number;
  endMs: number;
}

export const windowSeconds = (window: Window): number => (window.endMs - window.startMs) / 1000;
export const inWindow = (window: Window, atMs: number): boolean => atMs >= window.startMs && atMs < window.endMs;

/** Output tokens whose time stamps lie in the window, of all requests, whenever they were sent. */
export function outputTokensIn(records: readonly RequestRecord[], window: Window): number {
  let tokens = 0;
  for (const record of records) {
    for (let i = 0; i < record.chunkTimesMs.length; i++) {
      if (inWindow(window, record.chunkTimesMs[i] ?? -1)) tokens += record.chunkTokens[i] ?? 0;
    }
  }
  return tokens;
}

/** Prompt tokens of requests whose first token lies in the window: their prefill ended there. */
export function inputTokensIn(records: readonly RequestRecord[], window: Window): number | null {
  let tokens = 0;
  for (const record of records) {
    if (record.firstTokenMs === null || !inWindow(window, record.firstTokenMs)) continue;
    if (record.inputTokens === null) return null;
    tokens += record.inputTokens;
  }
  return tokens;
}

function sloMetric(record: RequestRecord, slo: Slo, bundled: boolean): number | null {
  const times = requestTimes(record);
  switch (slo.metric) {
    case 'ttftMs':
      return times.ttftMs;
    case 'e2eMs':
      return times.e2eMs;
    case 'tpotMs':
      return bundled ? null : times.tpotMs;
    case 'itlMs': {
      const gaps = tokenGaps(record).sort((a, b) => a - b);
      return bundled || gaps.length === 0 ? null : nearestRank(gaps, slo.percentile / 100);
    }
  }
}

const hasAskedLength = (record: RequestRecord, fixedLength: boolean): boolean =>
  !fixedLength || Math.abs(record.outputTokens - record.requestedOutputTokens) <= 1;

/**
 * Whether a request counts as good: ended well, with the length asked for, and within every limit. A figure that
 * the request does not have (one token, bundled stream) is not good where a limit is set on it.
 */
export function isGood(record: RequestRecord, slos: readonly Slo[], fixedLength: boolean, bundled: boolean): boolean {
  if (record.outcome !== 'ok' || !hasAskedLength(record, fixedLength)) return false;
  return slos.every((slo) => {
    const value = sloMetric(record, slo, bundled);
    return value !== null && value <= slo.limitMs;
  });
}

/** Time average of requests in flight over the window (sent, not ended). */
export function meanInFlight(records: readonly RequestRecord[], window: Window): number {
  let busyMs = 0;
  for (const record of records) {
    busyMs += Math.max(0, Math.min(record.endMs, window.endMs) - Math.max(record.sentMs, window.startMs));
  }
  return busyMs / (window.endMs - window.startMs);
}

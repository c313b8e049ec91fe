import type { PointInput } from './point-input';
import { nearestRank } from './quantile';
import type { RequestRecord } from './records';
import { requestTimes } from './request-times';
import { describeStampError, isExact } from './stamp-error';
import { inWindow, meanInFlight, type Window } from './throughput';

/** Ends of one check: a reason that makes the point invalid, or a note that a reader should see. */
export interface CheckResult {
  invalid: string[];
  notes: string[];
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
const measured = (input: PointInput): RequestRecord[] => input.records.filter((r) => r.phase === 'measure');

/** e2e = ttft + (n − n1)·tpot + (e − tn) for each request, times in order, tokens of the chunks adding up. */
function brokenRecord(record: RequestRecord): string | null {
  const { scheduledMs, sentMs, firstTokenMs: t1, lastTokenMs: tn, endMs } = record;
  if (sentMs < scheduledMs || endMs < sentMs) return 'its times run backwards';
  if (record.outcome !== 'ok') return null;
  if (t1 === null || tn === null) return record.outputTokens === 0 ? null : 'it has tokens without times';
  if (t1 < sentMs || tn < t1 || endMs < tn) return 'its times run backwards';
  if (record.chunkTimesMs[0] !== t1 || record.chunkTimesMs.at(-1) !== tn) return 'its chunks disagree with its ends';
  if (record.chunkTokens.reduce((sum, k) => sum + k, 0) !== record.outputTokens) return 'its chunks miss tokens';
  const { ttftMs, tpotMs, e2eMs } = requestTimes(record);
  const later = record.outputTokens - record.firstChunkTokens;
  const sum = (ttftMs ?? 0) + later * (tpotMs ?? 0) + (endMs - tn);
  const gap = later > 0 ? 0 : tn - t1;
  return Math.abs(sum + gap - e2eMs) > 1e-6 * Math.max(1, e2eMs) ? 'E2E is not the sum of its parts' : null;
}

export function checkOwnRecords(input: PointInput): CheckResult {
  for (const record of measured(input)) {
    const why = brokenRecord(record);
    if (why) return { invalid: [`not possible: request ${record.index}: ${why}`], notes: [] };
  }
  return { invalid: [], notes: [] };
}

/** More requests wait at the end than at the start, while under 98 % of what is sent completes (open loop only). */
export function isSaturated(input: PointInput): boolean {
  if (input.load.mode === 'closed') return false;
  const { window, records } = input;
  const sent = records.filter((r) => inWindow(window, r.sentMs)).length;
  const completed = records.filter((r) => r.outcome === 'ok' && inWindow(window, r.endMs)).length;
  if (sent === 0 || completed / sent >= 0.98) return false;
  const third = (window.endMs - window.startMs) / 3;
  const first: Window = { startMs: window.startMs, endMs: window.startMs + third };
  const last: Window = { startMs: window.endMs - third, endMs: window.endMs };
  const [early, late] = [meanInFlight(records, first), meanInFlight(records, last)];
  return late - early > Math.max(1, 0.25 * early);
}

const inFlightAt = (records: readonly RequestRecord[], atMs: number): number =>
  records.filter((r) => r.sentMs <= atMs && r.endMs > atMs).length;

/** Little's law: mean in flight = completions per second × mean time in the system, within 5 % + W/T. */
export function checkLittlesLaw(input: PointInput, saturated: boolean): CheckResult {
  const { window, records } = input;
  const windowMs = window.endMs - window.startMs;
  const ended = records.filter((r) => inWindow(window, r.endMs));
  if (saturated) return { invalid: [], notes: ["Little's law not checked: saturated"] };
  if (ended.length === 0) return { invalid: [], notes: ["Little's law not checked: no request ended in the window"] };
  const timeMs = ended.reduce((sum, r) => sum + r.endMs - r.sentMs, 0) / ended.length;
  if (windowMs < 5 * timeMs) {
    return { invalid: [], notes: ["Little's law not checked: the window is shorter than 5 requests"] };
  }
  const expected = (ended.length / windowMs) * timeMs;
  const seen = meanInFlight(records, window);
  // What is in flight at the edges is only partly inside: about one mean load as a rule, more in a burst.
  const atEdges = Math.max(1, inFlightAt(records, window.startMs) / seen, inFlightAt(records, window.endMs) / seen);
  if (Math.abs(seen - expected) <= (0.05 + (atEdges * timeMs) / windowMs) * seen) return { invalid: [], notes: [] };
  const text = `not possible: ${seen.toFixed(2)} requests in flight, but completions × time make ${expected.toFixed(2)}`;
  return { invalid: [text], notes: [] };
}

/**
 * A slow client is not a slow server: arrivals missed, or over 1 % sent late. One late request is no share: under
 * 100 requests it alone would pass the limit.
 */
export function checkDispatch(input: PointInput): CheckResult {
  const records = measured(input);
  const invalid: string[] = [];
  const { scheduled, sent } = input.client;
  if (scheduled > 0 && sent / scheduled < 0.98) {
    invalid.push(`client fault: sent ${sent} of ${scheduled} scheduled requests`);
  }
  const ttfts = Float64Array.from(records.flatMap((r) => requestTimes(r).ttftMs ?? [])).sort();
  const limitMs = Math.max(10, ttfts.length > 0 ? 0.05 * nearestRank(ttfts, 0.99) : 0);
  const late = records.filter((r) => requestTimes(r).dispatchLagMs > limitMs).length;
  if (late > Math.max(1, 0.01 * records.length)) {
    invalid.push(`client fault: ${late} of ${records.length} requests left more than ${limitMs.toFixed(0)} ms late`);
  }
  return { invalid, notes: [] };
}

/** Errors and time-outs over 5 % invalidate; shed requests never do. */
export function checkOutcomes(input: PointInput): CheckResult {
  const records = measured(input);
  if (records.length === 0) return { invalid: ['no request was measured'], notes: [] };
  const bad = records.filter((r) => r.outcome === 'error' || r.outcome === 'timeout');
  const share = bad.length / records.length;
  if (share <= 0.05) return { invalid: [], notes: [] };
  const example = bad.find((r) => r.error !== null)?.error;
  const why = example ? `, for example: ${example}` : '';
  return { invalid: [`${percent(share)} of requests failed or timed out${why}`], notes: [] };
}

/** Fixed-length workloads: output length = requested ± 1. */
export function checkLengths(input: PointInput): CheckResult {
  if (!input.workload.ignoreEos) return { invalid: [], notes: ['output lengths not fixed: answers end by themselves'] };
  const ok = measured(input).filter((r) => r.outcome === 'ok');
  const wrong = ok.filter((r) => Math.abs(r.outputTokens - r.requestedOutputTokens) > 1);
  const first = wrong[0];
  if (!first) return { invalid: [], notes: [] };
  const text = `${wrong.length} of ${ok.length} answers have another length than asked (${first.outputTokens} instead of ${first.requestedOutputTokens} tokens)`;
  return { invalid: [text], notes: [] };
}

/** The host and the client's own process: nothing here invalidates, all of it is said. */
export function checkHost(input: PointInput): CheckResult {
  const { client } = input;
  const notes: string[] = [];
  // Our own client and engine may fill the cores when they share the host; beyond that others work on it.
  if (client.loadAverage1 !== null && client.loadAverage1 > client.cores) {
    notes.push(`the host was busy: 1-minute load ${client.loadAverage1.toFixed(1)} on ${client.cores} cores`);
  }
  if (client.stealShare !== null && client.stealShare > 0.02) {
    notes.push(`the host was busy: ${percent(client.stealShare)} of CPU time stolen by other machines`);
  }
  if (client.cpuShare > 0.9) notes.push(`the load client used ${percent(client.cpuShare)} of a core`);
  if (client.eventLoopLagMsP99 > 10) {
    notes.push(`the load client lagged ${client.eventLoopLagMsP99.toFixed(0)} ms (p99): times are that uncertain`);
  }
  if (client.stampError && !isExact(client.stampError)) {
    notes.push(`times of the load client are uncertain on this host: ${describeStampError(client.stampError)}`);
  }
  if (!client.warmupStable) notes.push('warm-up ended before its median was stable');
  return { invalid: [], notes };
}

/** Server usage against what the stream showed and the prompt size against what was asked. */
export function checkCounts(input: PointInput): CheckResult {
  const notes: string[] = [];
  const ok = measured(input).filter((r) => r.outcome === 'ok');
  if (ok.some((r) => r.inputTokens === null)) notes.push('the server reports no usage: tokens counted as chunks');
  const { tokenCheck } = input.client;
  if (tokenCheck && Math.abs(tokenCheck.reported - tokenCheck.counted) > Math.max(1, 0.01 * tokenCheck.counted)) {
    notes.push(`the server reports ${tokenCheck.reported} output tokens where its stream holds ${tokenCheck.counted}`);
  }
  const more = ok.filter((r) => r.chunkTimesMs.length > r.outputTokens + 1).length;
  if (more > 0) notes.push(`${more} answers came in more chunks than the server counted tokens`);
  const counted = ok.flatMap((r) => r.inputTokens ?? []);
  const asked = input.workload.inputTokens;
  const meanTokens = counted.reduce((sum, k) => sum + k, 0) / counted.length;
  if (counted.length > 0 && Math.abs(meanTokens - asked) > Math.max(1, 0.02 * asked)) {
    notes.push(`prompts hold ${meanTokens.toFixed(0)} tokens by the server's count instead of ${asked}`);
  }
  return { invalid: [], notes };
}

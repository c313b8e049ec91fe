import type { Attainment, Point } from '../run/trial';
import {
  checkCounts,
  checkDispatch,
  checkHost,
  checkLengths,
  checkLittlesLaw,
  checkOutcomes,
  checkOwnRecords,
  isSaturated,
} from './checks';
import { costMetrics } from './cost';
import { checkPhysics } from './physics';
import type { PointInput } from './point-input';
import { quantile } from './quantile';
import type { RequestRecord } from './records';
import { chunkGaps, isBundled, requestTimes, tokenGaps } from './request-times';
import { serverMetrics } from './server-metrics';
import { scalar, summarizeLatency } from './summarize';
import { inputTokensIn, inWindow, isGood, outputTokensIn, windowSeconds } from './throughput';
import type { MetricValues } from './value';

/** Notes stand after the reasons of a point, marked so: they make nothing invalid. */
export const NOTE_PREFIX = 'note: ';

const present = (values: readonly (number | null)[]): number[] => values.filter((v): v is number => v !== null);

function latencyMetrics(ok: readonly RequestRecord[], bundled: boolean): MetricValues {
  const times = ok.map(requestTimes);
  const why = bundled ? 'bundled by server or proxy' : null;
  const queue = present(ok.map((r) => r.queueMs));
  return {
    ...summarizeLatency('ttftMs', present(times.map((t) => t.ttftMs)), null),
    ...summarizeLatency('serviceTtftMs', present(times.map((t) => t.serviceTtftMs)), null),
    ...summarizeLatency('tpotMs', present(times.map((t) => t.tpotMs)), why),
    ...summarizeLatency('itlMs', ok.flatMap(tokenGaps), why),
    ...summarizeLatency('iclMs', ok.flatMap(chunkGaps), null),
    ...summarizeLatency(
      'e2eMs',
      times.map((t) => t.e2eMs),
      null,
    ),
    ...(queue.length > 0 ? summarizeLatency('queueMs', queue, null) : {}),
  };
}

/** Rates over the steady window: tokens by their own time stamps, requests by their end. */
function rateMetrics(input: PointInput, bundled: boolean): MetricValues {
  const { window, workload, records } = input;
  const seconds = windowSeconds(window);
  const ended = records.filter((r) => r.outcome === 'ok' && inWindow(window, r.endMs));
  const outputTokens = outputTokensIn(records, window);
  const inputTokens = inputTokensIn(records, window);
  const outputPerS = outputTokens / seconds;
  const totalPerS = inputTokens === null ? null : (outputTokens + inputTokens) / seconds;
  const requestsPerS = ended.length / seconds;
  const good = (r: RequestRecord): boolean => isGood(r, workload.slos, workload.ignoreEos, bundled);
  const out: MetricValues = {
    outputTokensPerS: scalar('outputTokensPerS', outputPerS, outputTokens),
    totalTokensPerS: scalar(
      'totalTokensPerS',
      totalPerS,
      outputTokens + (inputTokens ?? 0),
      totalPerS === null ? 'the server reports no prompt tokens' : null,
    ),
    requestsPerS: scalar('requestsPerS', requestsPerS, ended.length),
    ...costMetrics(
      input.pricePerHourUsd,
      { outputTokens: outputPerS, totalTokens: totalPerS, requests: requestsPerS },
      ended.length,
    ),
  };
  if (input.gpus !== null) {
    out.outputTokensPerSPerGpu = scalar('outputTokensPerSPerGpu', outputPerS / input.gpus, outputTokens);
  }
  const { cpuMs, joules } = input.usage ?? { cpuMs: null, joules: null };
  if (cpuMs !== null && outputTokens > 0) {
    out.cpuMsPerOutputToken = scalar('cpuMsPerOutputToken', cpuMs / outputTokens, outputTokens);
  }
  if (joules !== null) {
    out.powerWattsMean = scalar('powerWattsMean', joules / seconds, Math.round(seconds));
    if (outputTokens > 0)
      out.joulesPerOutputToken = scalar('joulesPerOutputToken', joules / outputTokens, outputTokens);
  }
  if (workload.slos.length > 0) {
    const goodput = ended.filter(good).length / seconds;
    out.goodputRequestsPerS = scalar('goodputRequestsPerS', goodput, ended.length);
  }
  return out;
}

function outcomeMetrics(input: PointInput, measured: readonly RequestRecord[], bundled: boolean): MetricValues {
  const n = measured.length;
  if (n === 0) return {};
  const share = (test: (r: RequestRecord) => boolean): number => measured.filter(test).length / n;
  const { slos, ignoreEos } = input.workload;
  const lag = Float64Array.from(measured.map((r) => requestTimes(r).dispatchLagMs)).sort();
  return {
    shedRate: scalar(
      'shedRate',
      share((r) => r.outcome === 'shed'),
      n,
    ),
    errorRate: scalar(
      'errorRate',
      share((r) => r.outcome === 'error' || r.outcome === 'timeout'),
      n,
    ),
    ...(slos.length > 0
      ? {
          sloAttainment: scalar(
            'sloAttainment',
            share((r) => isGood(r, slos, ignoreEos, bundled)),
            n,
          ),
        }
      : {}),
    dispatchLagMsP99: { ...quantile(lag, 0.99), unit: 'ms', n, interval: 'order-statistic' },
  };
}

/** Each limit by itself: every measured request stands in the denominator, however it ended. */
function attainmentOf(input: PointInput, measured: readonly RequestRecord[], bundled: boolean): Attainment[] {
  const { slos, ignoreEos } = input.workload;
  return slos.map((slo) => ({
    ...slo,
    good: measured.filter((r) => isGood(r, [slo], ignoreEos, bundled)).length,
    n: measured.length,
  }));
}

function countOutcomes(records: readonly RequestRecord[]): Record<string, number> {
  const out: Record<string, number> = { ok: 0, shed: 0, error: 0, timeout: 0 };
  for (const record of records) out[record.outcome] = (out[record.outcome] ?? 0) + 1;
  return out;
}

/**
 * One load level measured once: metrics, validity and its reasons, from raw records only. Latencies are those of
 * requests that arrived in the window; tokens count by their own time stamps.
 */
export function measurePoint(input: PointInput): Point {
  const measured = input.records.filter((r) => r.phase === 'measure');
  const ok = measured.filter((r) => r.outcome === 'ok');
  const bundled = isBundled(ok);
  const saturated = isSaturated(input);
  const metrics: MetricValues = {
    ...latencyMetrics(ok, bundled),
    ...rateMetrics(input, bundled),
    ...outcomeMetrics(input, measured, bundled),
    ...serverMetrics(input),
  };
  const checks = [
    checkOutcomes(input),
    checkOwnRecords(input),
    checkDispatch(input),
    checkLengths(input),
    checkLittlesLaw(input, saturated),
    checkCounts(input),
    checkHost(input),
    checkPhysics(input, metrics.tokensPerStep?.value ?? null, bundled),
  ];
  const invalid = checks.flatMap((c) => c.invalid);
  const notes = checks.flatMap((c) => c.notes);
  if (bundled) notes.push('the stream is bundled by server or proxy: no TPOT and ITL');
  if (saturated) notes.push('saturated: the queue grew through the window');
  return {
    workload: input.workload.id,
    role: input.workload.role,
    load: input.load,
    windowS: windowSeconds(input.window),
    metrics,
    valid: invalid.length === 0,
    reasons: [...invalid, ...notes.map((note) => NOTE_PREFIX + note)],
    saturated,
    requests: measured.length,
    outcomes: countOutcomes(measured),
    ...(input.client.stampError ? { stampError: input.client.stampError } : {}),
    ...(input.workload.slos.length > 0 ? { attainment: attainmentOf(input, measured, bundled) } : {}),
  };
}

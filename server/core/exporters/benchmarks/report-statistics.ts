import type { LatencyFamily } from '../../metrics/metric-keys';
import type { MetricValues } from '../../metrics/value';
import type { Point } from '../../run/trial';
import type { Workload } from '../../workload/workload';

interface Statistics {
  units: string;
  mean: number;
  [quantile: string]: number | string;
}

/** Our quantile suffixes and theirs. */
const QUANTILES = { P50: 'p50', P90: 'p90', P95: 'p95', P99: 'p99', P999: 'p99p9' } as const;

const seconds = (ms: number): number => Number((ms / 1000).toPrecision(12));

/** Statistics of a latency in seconds; null without a mean, which the report asks for. */
function latency(metrics: MetricValues, family: LatencyFamily, units: string): Statistics | null {
  const mean = metrics[`${family}Mean`]?.value ?? null;
  if (mean === null) return null;
  const quantiles = Object.entries(QUANTILES).flatMap(([suffix, name]): [string, number][] => {
    const value = metrics[`${family}${suffix}`]?.value ?? null;
    return value === null ? [] : [[name, seconds(value)]];
  });
  return { units, mean: seconds(mean), ...Object.fromEntries(quantiles) };
}

const given = <T>(fields: Record<string, T | null>): Record<string, T> =>
  Object.fromEntries(Object.entries(fields).filter((entry): entry is [string, T] => entry[1] !== null));

export const aggregateLatency = (metrics: MetricValues): Record<string, Statistics> =>
  given({
    time_to_first_token: latency(metrics, 'ttftMs', 's'),
    time_per_output_token: latency(metrics, 'tpotMs', 's/token'),
    inter_token_latency: latency(metrics, 'itlMs', 's/token'),
    request_latency: latency(metrics, 'e2eMs', 's'),
  });

const rate = (metrics: MetricValues, key: string, units: string): Statistics | null => {
  const value = metrics[key]?.value ?? null;
  return value === null ? null : { units, mean: value };
};

export function aggregateThroughput({ metrics }: Point): Record<string, Statistics> {
  const output = metrics.outputTokensPerS?.value ?? null;
  const total = metrics.totalTokensPerS?.value ?? null;
  const input = output === null || total === null ? null : { units: 'tokens/s', mean: total - output };
  return given({
    input_token_rate: input,
    output_token_rate: rate(metrics, 'outputTokensPerS', 'tokens/s'),
    total_token_rate: rate(metrics, 'totalTokensPerS', 'tokens/s'),
    request_rate: rate(metrics, 'requestsPerS', 'queries/s'),
  });
}

/** Requests of the window. Lengths are those asked for: every request of a workload is of one length. */
export function aggregateRequests({ requests, outcomes }: Point, workload: Workload | undefined) {
  const failures = Object.entries(outcomes).reduce((sum, [name, n]) => sum + (name === 'ok' ? 0 : n), 0);
  return {
    total: requests,
    failures: Math.min(failures, requests),
    ...(workload === undefined
      ? {}
      : {
          input_length: { units: 'count', mean: workload.inputTokens },
          ...(workload.ignoreEos ? { output_length: { units: 'count', mean: workload.outputTokens } } : {}),
        }),
  };
}

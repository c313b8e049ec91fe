import { METRIC_INFO } from './metric-info';
import { LATENCY_STATS, type LatencyFamily } from './metric-keys';
import { quantile } from './quantile';
import type { MetricValues, Value } from './value';

const LEVELS: Record<Exclude<(typeof LATENCY_STATS)[number], 'Mean'>, number> = {
  P50: 0.5,
  P90: 0.9,
  P95: 0.95,
  P99: 0.99,
  P999: 0.999,
};

/** A single figure without interval; its unit is the metric's own. */
export function scalar(key: string, value: number | null, n: number, mark: string | null = null): Value {
  const unit = METRIC_INFO[key]?.unit ?? '';
  return { value, low: null, high: null, unit, n, interval: null, mark };
}

export const mean = (values: readonly number[]): number => values.reduce((sum, v) => sum + v, 0) / values.length;

/** Mean and percentiles of one latency family from raw samples. No samples: every figure null, with the reason. */
export function summarizeLatency(
  family: LatencyFamily,
  samples: readonly number[],
  absent: string | null,
): MetricValues {
  const out: MetricValues = {};
  const sorted = Float64Array.from(samples).sort();
  for (const stat of LATENCY_STATS) {
    const key = `${family}${stat}`;
    if (absent !== null || sorted.length === 0) {
      out[key] = scalar(key, null, 0, absent ?? 'no samples');
    } else if (stat === 'Mean') {
      out[key] = scalar(key, mean(samples), samples.length);
    } else {
      const q = quantile(sorted, LEVELS[stat]);
      out[key] = {
        ...q,
        unit: 'ms',
        n: sorted.length,
        interval: q.low === null && q.high === null ? null : 'order-statistic',
      };
    }
  }
  return out;
}

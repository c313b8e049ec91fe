import { LATENCY_FAMILIES, LATENCY_STATS, type LatencyFamily, type MetricKey } from './metric-keys';

/** What a reader and a verdict need to know of a metric. `better` null: neither direction is good by itself. */
export interface MetricInfo {
  /** Short name for legends and sentences, e.g. "TTFT p50". */
  label: string;
  unit: string;
  better: 'lower' | 'higher' | null;
  /** Latencies and rates get faster or slower, everything else better or worse. */
  kind: 'latency' | 'rate' | 'other';
}

const FAMILY_LABELS: Record<LatencyFamily, string> = {
  ttftMs: 'TTFT',
  serviceTtftMs: 'service TTFT',
  tpotMs: 'TPOT',
  itlMs: 'ITL',
  iclMs: 'inter-chunk latency',
  e2eMs: 'E2E',
  queueMs: 'queue time',
};
const STAT_LABELS: Record<(typeof LATENCY_STATS)[number], string> = {
  Mean: 'mean',
  P50: 'p50',
  P90: 'p90',
  P95: 'p95',
  P99: 'p99',
  P999: 'p99.9',
};

type ScalarKey = Exclude<MetricKey, `${LatencyFamily}${(typeof LATENCY_STATS)[number]}`>;
const rate = (label: string, unit: string): MetricInfo => ({ label, unit, better: 'higher', kind: 'rate' });
const lower = (label: string, unit: string): MetricInfo => ({ label, unit, better: 'lower', kind: 'other' });
const higher = (label: string, unit: string): MetricInfo => ({ label, unit, better: 'higher', kind: 'other' });

const SCALARS: Record<ScalarKey, MetricInfo> = {
  outputTokensPerS: rate('output tokens/s', 'tokens/s'),
  outputTokensPerSPerGpu: rate('output tokens/s per GPU', 'tokens/s'),
  totalTokensPerS: rate('total tokens/s', 'tokens/s'),
  requestsPerS: rate('requests/s', 'requests/s'),
  goodputRequestsPerS: rate('goodput', 'requests/s'),
  sloAttainment: higher('SLO attainment', 'ratio'),
  shedRate: lower('shed requests', 'ratio'),
  errorRate: lower('errors and time-outs', 'ratio'),
  acceptanceRate: { label: 'draft acceptance', unit: 'ratio', better: 'higher', kind: 'other' },
  tokensPerStep: higher('tokens per step', 'tokens'),
  prefixHitRate: higher('prefix hits', 'ratio'),
  kvCacheUsageMax: { label: 'KV cache in use, peak', unit: 'ratio', better: null, kind: 'other' },
  preemptions: lower('preemptions', 'count'),
  peakMemoryBytes: lower('peak memory', 'bytes'),
  cpuMsPerOutputToken: lower('engine CPU per output token', 'ms'),
  powerWattsMean: lower('power, mean', 'W'),
  joulesPerOutputToken: lower('energy per output token', 'J'),
  costPerMillionOutputTokens: lower('cost per million output tokens', 'USD'),
  costPerMillionTotalTokens: lower('cost per million tokens', 'USD'),
  costPerMillionRequests: lower('cost per million requests', 'USD'),
  dispatchLagMsP99: { label: 'dispatch lag p99', unit: 'ms', better: null, kind: 'other' },
};

const LATENCIES = Object.fromEntries(
  LATENCY_FAMILIES.flatMap((family) =>
    LATENCY_STATS.map((stat): [string, MetricInfo] => [
      `${family}${stat}`,
      { label: `${FAMILY_LABELS[family]} ${STAT_LABELS[stat]}`, unit: 'ms', better: 'lower', kind: 'latency' },
    ]),
  ),
);

/** Label, unit and direction of every metric key; undefined for a key that is not one of ours. */
export const METRIC_INFO: Readonly<Record<string, MetricInfo | undefined>> = { ...LATENCIES, ...SCALARS };

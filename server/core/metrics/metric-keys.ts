/** Latency families, each with the suffixes of LATENCY_STATS. Definitions: METHODOLOGY in README. */
export const LATENCY_FAMILIES = ['ttftMs', 'serviceTtftMs', 'tpotMs', 'itlMs', 'iclMs', 'e2eMs', 'queueMs'] as const;
export const LATENCY_STATS = ['Mean', 'P50', 'P90', 'P95', 'P99', 'P999'] as const;
export const SCALAR_METRICS = [
  'outputTokensPerS',
  'outputTokensPerSPerGpu',
  'totalTokensPerS',
  'requestsPerS',
  'goodputRequestsPerS',
  'sloAttainment',
  'shedRate',
  'errorRate',
  'acceptanceRate',
  'tokensPerStep',
  'prefixHitRate',
  'kvCacheUsageMax',
  'preemptions',
  'peakMemoryBytes',
  'cpuMsPerOutputToken',
  'powerWattsMean',
  'joulesPerOutputToken',
  'costPerMillionOutputTokens',
  'costPerMillionTotalTokens',
  'costPerMillionRequests',
  'dispatchLagMsP99',
] as const;

export type LatencyFamily = (typeof LATENCY_FAMILIES)[number];
export type MetricKey = `${LatencyFamily}${(typeof LATENCY_STATS)[number]}` | (typeof SCALAR_METRICS)[number];
export const METRIC_KEYS: readonly MetricKey[] = [
  ...LATENCY_FAMILIES.flatMap((f) => LATENCY_STATS.map((s) => `${f}${s}` as const)),
  ...SCALAR_METRICS,
];

import type { LatencyFamily, MetricKey } from '@/server/core/metrics/metric-keys';

/** How a metric is named, written and read. `better` null: neither direction is good in itself. */
export interface MetricInfo {
  label: string;
  unit: string;
  better: 'higher' | 'lower' | null;
  /** Definition for a tooltip, in the words of METHODOLOGY. */
  definition: string;
}

const FAMILY: Record<LatencyFamily, { label: string; definition: string }> = {
  ttftMs: {
    label: 'TTFT',
    definition: 'Time to first token: from the scheduled arrival of a request to its first content token.',
  },
  serviceTtftMs: {
    label: 'Service TTFT',
    definition: 'From the bytes of a request leaving the client to its first content token.',
  },
  tpotMs: {
    label: 'TPOT',
    definition: 'Time per output token after the first chunk: (last − first) ÷ tokens. Each request weighs the same.',
  },
  itlMs: {
    label: 'ITL',
    definition: 'Inter-token latency: the gap between chunks, spread over the tokens in the chunk.',
  },
  iclMs: {
    label: 'ICL',
    definition: 'Inter-chunk latency: the raw gap between two chunks, what a reader sees stutter.',
  },
  e2eMs: { label: 'E2E', definition: 'From the scheduled arrival of a request to the end of its stream.' },
  queueMs: { label: 'Queue time', definition: 'Time in the queue before work began, as the server reports it.' },
};

const STAT = {
  Mean: { label: 'mean', words: 'Mean over requests.' },
  P50: { label: 'p50', words: 'Half of the requests were at most this.' },
  P90: { label: 'p90', words: '90 % of the requests were at most this.' },
  P95: { label: 'p95', words: '95 % of the requests were at most this.' },
  P99: { label: 'p99', words: '99 % of the requests were at most this.' },
  P999: { label: 'p99.9', words: '99.9 % of the requests were at most this.' },
} as const;

const info = (label: string, unit: string, better: MetricInfo['better'], definition: string): MetricInfo => ({
  label,
  unit,
  better,
  definition,
});

type Scalar = Exclude<MetricKey, `${LatencyFamily}${keyof typeof STAT}`>;
const SCALAR: Record<Scalar, MetricInfo> = {
  outputTokensPerS: info('Output tok/s', 'tok/s', 'higher', 'Output tokens in the steady window ÷ window.'),
  outputTokensPerSPerGpu: info('Output tok/s per GPU', 'tok/s', 'higher', 'Output tokens/s ÷ GPUs of the plan.'),
  totalTokensPerS: info('Total tok/s', 'tok/s', 'higher', 'Input and output tokens in the steady window ÷ window.'),
  requestsPerS: info('Requests/s', '1/s', 'higher', 'Requests that ended well in the steady window ÷ window.'),
  goodputRequestsPerS: info('Goodput', '1/s', 'higher', 'Requests that met every SLO ÷ window.'),
  sloAttainment: info('SLO attainment', '%', 'higher', 'Share of requests that met every SLO.'),
  shedRate: info('Shed', '%', 'lower', 'Share of requests that the server turned away (429, or 503 with Retry-After).'),
  errorRate: info('Errors', '%', 'lower', 'Share of requests that failed or timed out.'),
  acceptanceRate: info('Acceptance', '%', 'higher', 'Drafted tokens that the target accepted ÷ drafted tokens.'),
  tokensPerStep: info('Tokens a step', '', 'higher', 'Tokens emitted per target step of one sequence, bonus included.'),
  prefixHitRate: info('Prefix hits', '%', 'higher', 'Input tokens served from the prefix cache ÷ input tokens.'),
  kvCacheUsageMax: info('KV usage, max', '%', null, 'Highest share of the KV cache in use.'),
  preemptions: info('Preemptions', '', 'lower', 'Sequences that were thrown out of the KV cache and begun again.'),
  peakMemoryBytes: info('Peak memory', 'B', 'lower', "Highest memory of the engine's processes."),
  cpuMsPerOutputToken: info('CPU ms/token', 'ms', 'lower', "CPU time of the engine's processes ÷ output tokens."),
  powerWattsMean: info('Power', 'W', 'lower', 'Mean power of the devices in the window.'),
  joulesPerOutputToken: info('Energy a token', 'J', 'lower', 'Energy of the devices in the window ÷ output tokens.'),
  costPerMillionOutputTokens: info(
    '$ / M tokens',
    '$',
    'lower',
    'Price per hour ÷ output tokens per hour, per million.',
  ),
  costPerMillionTotalTokens: info(
    '$ / M total tokens',
    '$',
    'lower',
    'Price per hour ÷ all tokens per hour, per million.',
  ),
  costPerMillionRequests: info('$ / M requests', '$', 'lower', 'Price per hour ÷ requests per hour, per million.'),
  dispatchLagMsP99: info('Dispatch lag p99', 'ms', 'lower', 'How late requests left the load client, 99th percentile.'),
};

const latencyInfo = (family: LatencyFamily, stat: keyof typeof STAT): MetricInfo =>
  info(
    `${FAMILY[family].label} ${STAT[stat].label}`,
    'ms',
    'lower',
    `${FAMILY[family].definition} ${STAT[stat].words}`,
  );

const ALL: ReadonlyMap<string, MetricInfo> = new Map([
  ...Object.entries(SCALAR),
  ...(Object.keys(FAMILY) as LatencyFamily[]).flatMap((family) =>
    (Object.keys(STAT) as (keyof typeof STAT)[]).map(
      (stat) => [`${family}${stat}`, latencyInfo(family, stat)] as [string, MetricInfo],
    ),
  ),
]);

/** A metric that this version does not know is shown under its own key, without unit or direction. */
export const metricInfo = (key: string): MetricInfo =>
  ALL.get(key) ?? { label: key, unit: '', better: null, definition: `No definition of ${key} in this version.` };

/** Rates are stored as 0…1 and shown in percent. */
export const isShare = (key: string): boolean => metricInfo(key).unit === '%';

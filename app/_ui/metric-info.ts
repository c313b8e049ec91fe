import { METRIC_INFO } from '@/server/core/metrics/metric-info';
import type { LatencyFamily, MetricKey } from '@/server/core/metrics/metric-keys';

/** A metric as it is shown: core's facts, its unit as people write it, and a definition for its tooltip. */
export interface ShownMetric {
  label: string;
  unit: string;
  better: 'higher' | 'lower' | null;
  definition: string;
  /** Shown value = stored value × this: shares are stored as 0…1 and shown in percent. */
  scale: number;
}

const FAMILY: Record<LatencyFamily, string> = {
  ttftMs: 'Time to first token: from the scheduled arrival of a request to its first content token.',
  serviceTtftMs: 'From the bytes of a request leaving the client to its first content token.',
  tpotMs: 'Time per output token after the first chunk: (last − first) ÷ tokens. Each request weighs the same.',
  itlMs: 'Inter-token latency: the gap between chunks, spread over the tokens in the chunk.',
  iclMs: 'Inter-chunk latency: the raw gap between two chunks, what a reader sees stutter.',
  e2eMs: 'From the scheduled arrival of a request to the end of its stream.',
  queueMs: 'Time in the queue before work began, as the server reports it.',
};
const STAT: Record<string, string> = {
  Mean: 'Mean over requests.',
  P50: 'Half of the requests took at most this.',
  P90: '90 % of the requests took at most this.',
  P95: '95 % of the requests took at most this.',
  P99: '99 % of the requests took at most this.',
  P999: '99.9 % of the requests took at most this.',
};

type Scalar = Exclude<MetricKey, `${LatencyFamily}${string}`>;
const SCALAR: Record<Scalar, string> = {
  outputTokensPerS: 'Output tokens in the steady window ÷ window.',
  outputTokensPerSPerGpu: 'Output tokens/s ÷ GPUs of the plan.',
  totalTokensPerS: 'Input and output tokens in the steady window ÷ window.',
  requestsPerS: 'Requests that ended well in the steady window ÷ window.',
  goodputRequestsPerS: 'Requests that met every limit of the SLO ÷ window.',
  sloAttainment: 'Share of the requests that met every limit of the SLO.',
  shedRate: 'Share of the requests that the server turned away (429, or 503 with Retry-After).',
  errorRate: 'Share of the requests that failed or timed out.',
  acceptanceRate: 'Drafted tokens that the target accepted ÷ drafted tokens.',
  tokensPerStep: 'Tokens emitted per target step of one sequence, bonus included. 1 without speculation.',
  prefixHitRate: 'Input tokens served from the prefix cache ÷ input tokens.',
  kvCacheUsageMax: 'Highest share of the KV cache in use.',
  preemptions: 'Sequences thrown out of the KV cache and begun again.',
  peakMemoryBytes: "Highest memory of the engine's processes.",
  cpuMsPerOutputToken: "CPU time of the engine's processes ÷ output tokens.",
  powerWattsMean: 'Mean power of the devices in the window.',
  joulesPerOutputToken: 'Energy of the devices in the window ÷ output tokens.',
  costPerMillionOutputTokens: 'Price per hour ÷ output tokens per hour, per million.',
  costPerMillionTotalTokens: 'Price per hour ÷ all tokens per hour, per million.',
  costPerMillionRequests: 'Price per hour ÷ requests per hour, per million.',
  dispatchLagMsP99: 'How late requests left the load client, 99th percentile.',
};

const UNITS: Record<string, { unit: string; scale: number }> = {
  ratio: { unit: '%', scale: 100 },
  'tokens/s': { unit: 'tok/s', scale: 1 },
  'requests/s': { unit: '1/s', scale: 1 },
  bytes: { unit: 'MiB', scale: 1 / 1024 ** 2 },
  USD: { unit: '$', scale: 1 },
  tokens: { unit: '', scale: 1 },
  count: { unit: '', scale: 1 },
};

function definitionOf(key: string): string {
  const scalar = (SCALAR as Record<string, string | undefined>)[key];
  if (scalar) return scalar;
  const family = (Object.keys(FAMILY) as LatencyFamily[]).find((name) => key.startsWith(name));
  const stat = family && STAT[key.slice(family.length)];
  return family && stat ? `${FAMILY[family]} ${stat}` : `No definition of ${key} in this version.`;
}

/** A metric that this version does not know is shown under its own key, without unit or direction. */
export function metricInfo(key: string): ShownMetric {
  const info = METRIC_INFO[key];
  const definition = definitionOf(key);
  if (!info) return { label: key, unit: '', better: null, definition, scale: 1 };
  const label = info.label.charAt(0).toUpperCase() + info.label.slice(1);
  return { label, better: info.better, definition, ...(UNITS[info.unit] ?? { unit: info.unit, scale: 1 }) };
}

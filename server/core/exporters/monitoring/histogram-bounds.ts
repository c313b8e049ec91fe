import type { LatencyKind } from './engine-histograms';

const PROMETHEUS_LATENCIES = [
  0.3, 0.5, 0.8, 1, 1.5, 2, 2.5, 5, 10, 15, 20, 30, 40, 50, 60, 120, 240, 480, 960, 1920, 7680,
];
const FIRST_TOKEN = [
  0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 20, 40, 80, 160, 640, 2560,
];
const PER_TOKEN = [0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 20, 40, 80];
const SGLANG_SECONDS = [0.1, 0.2, 0.4, 0.6, 0.8, 1, 2, 4, 6, 8, 10, 20, 40, 60, 80, 100, 200, 400];

interface Bounds {
  kinds: Partial<Record<LatencyKind, readonly number[]>>;
  source: string;
}

/** Upper bounds of the histograms' buckets, seconds. An engine whose bounds were not read is not here. */
const BOUNDS: Readonly<Record<string, Bounds>> = {
  vllm: {
    kinds: {
      ttft: FIRST_TOKEN,
      itl: PER_TOKEN,
      tpot: PER_TOKEN,
      e2e: PROMETHEUS_LATENCIES,
      queue: PROMETHEUS_LATENCIES,
    },
    source: 'vLLM 0.28.0, vllm/v1/metrics/loggers.py',
  },
  sglang: {
    kinds: {
      ttft: SGLANG_SECONDS,
      itl: [
        0.002, 0.004, 0.006, 0.008, 0.01, 0.015, 0.02, 0.025, 0.03, 0.035, 0.04, 0.06, 0.08, 0.1, 0.2, 0.4, 0.6, 0.8, 1,
        2, 4, 6, 8,
      ],
      e2e: [...SGLANG_SECONDS, 600, 1200, 1800, 2400],
    },
    source: 'SGLang 0.5.18, sglang/srt/observability/metrics_collector.py',
  },
  lmdeploy: {
    kinds: { ttft: FIRST_TOKEN, tpot: [0.005, ...PER_TOKEN], e2e: PROMETHEUS_LATENCIES, queue: PROMETHEUS_LATENCIES },
    source: 'LMDeploy 0.16.0, lmdeploy/metrics/loggers.py',
  },
};

/** The highest bound that does not lie above a limit: requests between both count as late, none as in time that is not. */
export function boundFor(
  engineId: string,
  kind: LatencyKind,
  limitMs: number,
): { boundS: number; source: string } | null {
  const entry = BOUNDS[engineId];
  const limitS = limitMs / 1000;
  const boundS = entry?.kinds[kind]?.filter((bound) => bound <= limitS).at(-1);
  return entry === undefined || boundS === undefined ? null : { boundS, source: entry.source };
}

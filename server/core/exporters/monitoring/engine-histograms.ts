/** Latencies for which engines keep Prometheus histograms. */
export type LatencyKind = 'ttft' | 'tpot' | 'itl' | 'e2e' | 'queue';

export interface EngineHistograms {
  /** Names without `_bucket`; all in seconds. */
  names: Partial<Record<LatencyKind, string>>;
  source: string;
}

/** By engine id. An engine that keeps none is not here, and gets a finding. */
const HISTOGRAMS: Readonly<Record<string, EngineHistograms>> = {
  vllm: {
    names: {
      ttft: 'vllm:time_to_first_token_seconds',
      tpot: 'vllm:request_time_per_output_token_seconds',
      itl: 'vllm:inter_token_latency_seconds',
      e2e: 'vllm:e2e_request_latency_seconds',
      queue: 'vllm:request_queue_time_seconds',
    },
    source: 'vLLM @017e9f4448, vllm/v1/metrics/loggers.py',
  },
  sglang: {
    names: {
      ttft: 'sglang:time_to_first_token_seconds',
      itl: 'sglang:inter_token_latency_seconds',
      e2e: 'sglang:e2e_request_latency_seconds',
      queue: 'sglang:queue_time_seconds',
    },
    source: 'SGLang v0.5.18 @71de97b2, metrics collector (--enable-metrics)',
  },
  'tensorrt-llm': {
    names: {
      ttft: 'trtllm_time_to_first_token_seconds',
      tpot: 'trtllm_time_per_output_token_seconds',
      e2e: 'trtllm_e2e_request_latency_seconds',
      queue: 'trtllm_request_queue_time_seconds',
    },
    source: 'TensorRT-LLM, llm_args.py @00043967 (return_perf_metrics)',
  },
  tgi: {
    names: {
      tpot: 'tgi_request_mean_time_per_token_duration',
      e2e: 'tgi_request_duration',
      queue: 'tgi_request_queue_duration',
    },
    source: 'TGI @db931fcf, router/src/server.rs',
  },
  lmdeploy: {
    names: {
      ttft: 'lmdeploy:time_to_first_token_seconds',
      tpot: 'lmdeploy:time_per_output_token_seconds',
      e2e: 'lmdeploy:e2e_request_latency_seconds',
      queue: 'lmdeploy:request_queue_time_seconds',
    },
    source: 'LMDeploy v0.16.0 @1208bf00, metrics',
  },
};

export const histogramsOf = (engineId: string): EngineHistograms | null => HISTOGRAMS[engineId] ?? null;

/** Histogram in which a limit of a workload can be looked up. */
export const LATENCY_OF_SLO = { ttftMs: 'ttft', tpotMs: 'tpot', itlMs: 'itl', e2eMs: 'e2e' } as const;

/** Gauges of the share of drafted tokens that were accepted, where an engine counts no tokens of it. */
const ACCEPTANCE: Readonly<Record<string, string>> = { sglang: 'sglang:spec_accept_rate' };
export const acceptanceGauge = (engineId: string): string | null => ACCEPTANCE[engineId] ?? null;

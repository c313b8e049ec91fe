import { describe, expect, it } from 'vitest';
import { readCounters } from '@/workers/load/counters';

const PAGE = `# HELP vllm:num_requests_running Running.
# TYPE vllm:num_requests_running gauge
vllm:num_requests_running{model_name="a"} 3
# TYPE vllm:generation_tokens_total counter
vllm:generation_tokens_total{model_name="a",rank="0"} 100
vllm:generation_tokens_total{model_name="a",rank="1"} 20
# TYPE e_ttft_seconds histogram
e_ttft_seconds_bucket{le="1"} 2
e_ttft_seconds_bucket{le="+Inf"} 2
e_ttft_seconds_sum 0.5
e_ttft_seconds_count 2
`;

describe('readCounters', () => {
  it('sums over labels, by our own name; what the page lacks is absent', () => {
    const names = {
      running: 'vllm:num_requests_running',
      generatedTokens: 'vllm:generation_tokens_total',
      waiting: 'no',
    };
    expect(readCounters(PAGE, names)).toEqual({ running: 3, generatedTokens: 120 });
  });
});

/** Definitions shown where a term first stands on a page. The metric definitions are those of the README. */
export const TERMS = {
  TTFT: 'Time to first token: from the scheduled arrival of a request to its first output token.',
  TPOT: 'Time per output token: from first to last token, divided by the tokens after the first chunk.',
  ITL: 'Inter-token latency: the gap between chunks, spread over the tokens in the chunk.',
  ICL: 'Inter-chunk latency: the raw gap between chunks, what a reader sees stutter.',
  E2E: 'End-to-end latency: from the scheduled arrival to the end of the stream.',
  p50: 'Half of the requests were at or below this value.',
  p99: '99 of 100 requests were at or below this value.',
  goodput: 'Requests a second that meet all limits of the SLO.',
  SLO: 'Service-level objective: a limit on a latency that a share of the requests must meet.',
  prefill: 'The phase that reads the prompt. It is bound by compute.',
  decode: 'The phase that writes one token after the other. It is mostly bound by memory bandwidth.',
  'KV cache': 'Keys and values of all earlier tokens, kept so that they need not be computed again.',
  baseline: 'The plan that all others are compared with.',
  block: 'One pass over all plans, back to back on one worker, in shuffled order. Intervals are over blocks.',
  plan: 'A frozen, checked deployment: commands, checkpoints and settings, named by a hash.',
  finding: 'A problem that the compiler found. Errors block a run, warnings do not.',
  'KL divergence': "How far the variant's token probabilities are from the baseline's. 0 means the same.",
  'acceptance rate': 'Share of the drafted tokens that the target model accepted.',
  sweep: 'Several values in one parameter: each becomes a plan (launch) or a load point (request, load).',
} as const;

export type TermName = keyof typeof TERMS;

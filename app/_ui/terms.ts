/** Definitions shown where a term first stands on a page. Those of metrics stand in core/metrics/metric-info. */
export const TERMS = {
  prefill: 'The phase that reads the prompt. It is bound by compute.',
  decode: 'The phase that writes one token after the other. It is mostly bound by memory bandwidth.',
  memory: 'Memory of the device: weights, KV cache and working space.',
  capacity: 'The load that a deployment carries within its latency limits.',
  baseline: 'The plan that all others are compared with.',
  block: 'One pass over all plans, back to back on one worker, in shuffled order. Intervals are over blocks.',
  plan: 'A frozen, checked deployment: commands, checkpoints and settings, named by a hash.',
  finding: 'A problem that the compiler found. Errors block a run, warnings do not.',
} as const;

export type TermName = keyof typeof TERMS;

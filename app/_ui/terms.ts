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
  Attention:
    'How query heads share keys and values: in MHA each has its own, in GQA a group shares, in MQA all do; MLA keeps one compressed latent.',
  'Cache a token': 'Keys and values that one token leaves in all layers together, as bf16.',
  Window: 'Layers that look back only so many tokens keep a smaller cache.',
  Experts: 'Parallel MLPs of which each token passes a few, so that few of the parameters are read.',
  'MTP layers': 'Multi-token prediction: layers trained to guess further tokens, which can draft for speculation.',
} as const;

export type TermName = keyof typeof TERMS;

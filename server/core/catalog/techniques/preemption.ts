import { z } from 'zod';
import type { NodeType } from '../node-type';
import { param } from '../param';
import { defineNodeType, servingInput, servingOutput } from '../ports';

export const preemption: NodeType = defineNodeType({
  type: 'preemption',
  family: 'serving',
  group: 'Batching',
  title: 'Preemption',
  summary:
    'What happens to running sequences when the cache is full: computed again later, swapped out, or never taken up.',
  aliases: ['eviction of sequences', 'swap', 'recompute', 'retraction', 'MAX_UTILIZATION', 'GUARANTEED_NO_EVICT'],
  stage: 'serving',
  inputs: [servingInput],
  outputs: [servingOutput],
  params: z.object({
    mode: param(z.enum(['recompute', 'swap', 'never']).default('recompute'), {
      label: 'Mode',
      unit: null,
      description: 'never: a sequence starts only when its whole length fits.',
      kind: 'launch',
      sweep: ['recompute', 'swap', 'never'],
    }),
  }),
  apply: (p) => ({ preemption: { value: p.mode, field: 'mode' } }),
  settings: ['preemption'],
  label: (p) => `preemption ${p.mode}`,
  technique: {
    loss: 'none',
    maturity: 'production',
    suits: 'More sequences than the cache holds in the worst case.',
    helps: ['capacity'],
    hurtsWhen: 'It happens often: work is thrown away and ITL has long gaps. Lower the sequences instead.',
    references: ['https://arxiv.org/abs/2309.06180'],
  },
});

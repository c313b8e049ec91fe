import { z } from 'zod';
import type { NodeType } from '../node-type';
import { param } from '../param';
import { defineNodeType, servingInput, servingOutput } from '../ports';

export const expertParallel: NodeType = defineNodeType({
  type: 'expert-parallel',
  family: 'serving',
  group: 'Parallelism',
  title: 'Expert parallelism',
  summary: 'Experts of a mixture are spread over devices instead of each being split.',
  aliases: ['EP', 'MoE', 'ep-size', 'wide EP', 'DeepEP'],
  stage: 'serving',
  inputs: [servingInput],
  outputs: [servingOutput],
  params: z.object({
    ranks: param(z.number().int().min(1).max(1024).default(2), {
      label: 'Ranks',
      unit: 'ranks',
      description: 'Devices over which the experts are spread.',
      kind: 'launch',
      sweep: [1, 2, 4, 8],
    }),
  }),
  apply: (p) => ({ expertParallel: { value: p.ranks, field: 'ranks' } }),
  settings: ['expertParallel'],
  label: (p) => `EP${p.ranks}`,
  technique: {
    loss: 'none',
    maturity: 'production',
    suits: 'Mixtures with many small experts at large batches.',
    helps: ['decode', 'memory', 'capacity'],
    hurtsWhen:
      'The batch is small or routing is skewed: the device with the busiest expert makes all wait. Dense models have no experts.',
    references: ['https://arxiv.org/abs/2006.16668', 'https://arxiv.org/abs/2201.05596'],
  },
});

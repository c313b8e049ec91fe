import { z } from 'zod';
import type { NodeType } from '../node-type';
import { param } from '../param';
import { defineNodeType, servingInput, servingOutput } from '../ports';

export const attentionDataParallel: NodeType = defineNodeType({
  type: 'attention-data-parallel',
  family: 'serving',
  group: 'Parallelism',
  title: 'Attention data parallelism',
  summary: 'Each rank keeps attention and cache of its own sequences; the MLP is shared.',
  aliases: ['DP attention', 'enable-dp-attention', 'MLA', 'attention DP'],
  stage: 'serving',
  inputs: [servingInput],
  outputs: [servingOutput],
  params: z.object({
    ranks: param(z.number().int().min(1).max(1024).default(2), {
      label: 'Ranks',
      unit: 'ranks',
      description: 'Ranks with sequences of their own.',
      kind: 'launch',
      sweep: [1, 2, 4, 8],
    }),
  }),
  apply: (p) => ({ attentionDataParallel: { value: p.ranks, field: 'ranks' } }),
  settings: ['attentionDataParallel'],
  label: (p) => `attention DP${p.ranks}`,
  technique: {
    loss: 'none',
    maturity: 'production',
    suits: 'Models with MLA (DeepSeek), whose latent cache would be copied to every device by tensor parallelism.',
    helps: ['memory', 'capacity'],
    hurtsWhen:
      'There are fewer sequences than ranks: some ranks idle, and each token is later than with tensor parallelism.',
    references: ['https://lmsys.org/blog/2024-12-04-sglang-v0-4/'],
  },
});

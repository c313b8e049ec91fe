import { z } from 'zod';
import type { NodeType } from '../node-type';
import { param } from '../param';
import { defineNodeType, servingInput, servingOutput } from '../ports';

export const contextParallel: NodeType = defineNodeType({
  type: 'context-parallel',
  family: 'serving',
  group: 'Parallelism',
  title: 'Context parallelism',
  summary: 'One long sequence is spread over devices.',
  aliases: ['CP', 'sequence parallelism', 'ring attention', 'cp-size', 'helix'],
  stage: 'serving',
  inputs: [servingInput],
  outputs: [servingOutput],
  params: z.object({
    ranks: param(z.number().int().min(1).max(1024).default(2), {
      label: 'Ranks',
      unit: 'ranks',
      description: 'Devices that share the tokens of a sequence.',
      kind: 'launch',
      sweep: [1, 2, 4, 8],
    }),
  }),
  apply: (p) => ({ contextParallel: { value: p.ranks, field: 'ranks' } }),
  settings: ['contextParallel'],
  label: (p) => `CP${p.ranks}`,
  technique: {
    loss: 'none',
    maturity: 'evolving',
    suits: 'Prompts of 100,000 tokens and more, whose prefill or cache is too much for one device.',
    helps: ['prefill', 'memory'],
    hurtsWhen: 'Prompts are short: devices exchange more than they compute.',
    references: ['https://arxiv.org/abs/2310.01889', 'https://arxiv.org/abs/2411.01783'],
  },
});

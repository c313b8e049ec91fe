import { z } from 'zod';
import type { NodeType } from '../node-type';
import { param } from '../param';
import { defineNodeType, draftInput, servingInput, servingOutput } from '../ports';

export const medusa: NodeType = defineNodeType({
  type: 'medusa',
  family: 'decoding',
  group: 'Speculation',
  title: 'Speculation, Medusa',
  summary: 'Several heads on the target guess the next few tokens at once, each one position.',
  aliases: ['Medusa heads', 'speculative decoding'],
  stage: 'decoding',
  inputs: [servingInput, draftInput('Medusa heads')],
  outputs: [servingOutput],
  params: z.object({
    k: param(z.number().int().min(1).max(64).default(3), {
      label: 'Drafted tokens',
      unit: 'tokens',
      description: 'Tokens proposed for each step of the target.',
      kind: 'launch',
      sweep: [2, 3, 4],
    }),
  }),
  apply: (p) => ({ speculation: { value: 'medusa', field: 'k' }, draftTokens: { value: p.k, field: 'k' } }),
  settings: ['speculation', 'draftTokens'],
  label: (p) => `Medusa k=${p.k}`,
  technique: {
    loss: 'none',
    maturity: 'evolving',
    suits: 'Targets for which Medusa heads were trained.',
    helps: ['decode'],
    hurtsWhen:
      'EAGLE-3 or MTP exist for the target: they accept more. At high load the checks cost more than they save.',
    references: ['https://arxiv.org/abs/2401.10774'],
  },
});

import { z } from 'zod';
import type { NodeType } from '../node-type';
import { param } from '../param';
import { defineNodeType, draftInput, servingInput, servingOutput } from '../ports';

export const draftSpeculation: NodeType = defineNodeType({
  type: 'draft-speculation',
  family: 'decoding',
  title: 'Speculation, draft model',
  summary: 'A small model drafts tokens; the target checks them all in one step.',
  stage: 'decoding',
  group: 'Speculation',
  aliases: ['speculative decoding', 'assistant model', 'standalone', 'draft-simple'],
  inputs: [servingInput, draftInput('Draft weights')],
  outputs: [servingOutput],
  params: z.object({
    k: param(z.number().int().min(1).max(64).default(3), {
      label: 'Drafted tokens',
      unit: 'tokens',
      description: 'Tokens that the draft proposes for each step of the target.',
      kind: 'launch',
      sweep: [2, 3, 4, 6],
    }),
  }),
  apply: (p) => ({
    speculation: { value: 'draft-model', field: 'k' },
    draftTokens: { value: p.k, field: 'k' },
  }),
  settings: ['speculation', 'draftTokens'],
  label: (p) => `draft k=${p.k}`,
  technique: {
    loss: 'none',
    maturity: 'production',
    suits: 'Few sequences and a target much larger than its draft; text that the draft guesses well.',
    helps: ['decode'],
    hurtsWhen: 'The batch is large or the target small: the extra work is no longer free.',
    references: ['https://arxiv.org/abs/2211.17192'],
  },
});

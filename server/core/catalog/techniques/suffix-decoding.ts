import { z } from 'zod';
import type { NodeType } from '../node-type';
import { param } from '../param';
import { defineNodeType, servingInput, servingOutput } from '../ports';

export const suffixDecoding: NodeType = defineNodeType({
  type: 'suffix-decoding',
  family: 'decoding',
  group: 'Speculation',
  title: 'Speculation, suffix decoding',
  summary: 'Drafts by what followed the same suffix in this and in earlier answers, longer where the match is better.',
  aliases: ['suffix tree', 'Arctic inference', 'n-gram', 'speculative decoding'],
  stage: 'decoding',
  inputs: [servingInput],
  outputs: [servingOutput],
  params: z.object({
    k: param(z.number().int().min(1).max(64).default(8), {
      label: 'Drafted tokens',
      unit: 'tokens',
      description: 'Tokens proposed for each step of the target.',
      kind: 'launch',
      sweep: [8, 16, 32],
    }),
  }),
  apply: (p) => ({ speculation: { value: 'suffix', field: 'k' }, draftTokens: { value: p.k, field: 'k' } }),
  settings: ['speculation', 'draftTokens'],
  label: (p) => `suffix k=${p.k}`,
  technique: {
    loss: 'none',
    maturity: 'evolving',
    suits: 'Agents and repeated tasks that produce the same passages again and again.',
    helps: ['decode'],
    hurtsWhen: 'Answers repeat nothing, or the batch is large.',
    references: ['https://arxiv.org/abs/2411.04975'],
  },
});

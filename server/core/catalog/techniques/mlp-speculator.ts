import { z } from 'zod';
import type { NodeType } from '../node-type';
import { param } from '../param';
import { defineNodeType, draftInput, servingInput, servingOutput } from '../ports';

export const mlpSpeculator: NodeType = defineNodeType({
  type: 'mlp-speculator',
  family: 'decoding',
  group: 'Speculation',
  title: 'Speculation, MLP speculator',
  summary: 'A small stack of MLPs drafts from the hidden state and the tokens so far.',
  aliases: ['IBM accelerator', 'mlp_speculator', 'speculative decoding'],
  stage: 'decoding',
  inputs: [servingInput, draftInput('MLP speculator')],
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
  apply: (p) => ({ speculation: { value: 'mlp-speculator', field: 'k' }, draftTokens: { value: p.k, field: 'k' } }),
  settings: ['speculation', 'draftTokens'],
  label: (p) => `MLP speculator k=${p.k}`,
  technique: {
    loss: 'none',
    maturity: 'evolving',
    suits: 'Targets for which IBM or others published an accelerator (Granite, Llama).',
    helps: ['decode'],
    hurtsWhen: 'EAGLE-3 exists for the target, or the batch is large.',
    references: ['https://arxiv.org/abs/2404.19124'],
  },
});

import { z } from 'zod';
import type { NodeType } from '../node-type';
import { param } from '../param';
import { defineNodeType, draftInput, servingInput, servingOutput } from '../ports';

export const dflash: NodeType = defineNodeType({
  type: 'dflash',
  family: 'decoding',
  group: 'Speculation',
  title: 'Speculation, DFlash',
  summary: 'A small diffusion model drafts a whole block of tokens in one pass.',
  aliases: ['block diffusion', 'diffusion draft', 'draft-dflash', 'speculative decoding'],
  stage: 'decoding',
  inputs: [servingInput, draftInput('DFlash draft')],
  outputs: [servingOutput],
  params: z.object({
    k: param(z.number().int().min(1).max(64).default(8), {
      label: 'Drafted tokens',
      unit: 'tokens',
      description: 'Tokens proposed for each step of the target.',
      kind: 'launch',
      sweep: [4, 8, 15],
    }),
  }),
  apply: (p) => ({ speculation: { value: 'dflash', field: 'k' }, draftTokens: { value: p.k, field: 'k' } }),
  settings: ['speculation', 'draftTokens'],
  label: (p) => `DFlash k=${p.k}`,
  technique: {
    loss: 'none',
    maturity: 'evolving',
    suits: 'Low load with a published DFlash draft for the target (Qwen3, Llama 3.1 8B, gpt-oss).',
    helps: ['decode'],
    hurtsWhen: 'The batch is large: the block is wide, so that many drafted tokens are checked for nothing.',
    references: ['https://arxiv.org/abs/2602.06036'],
  },
});

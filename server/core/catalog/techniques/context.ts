import { z } from 'zod';
import type { NodeType } from '../node-type';
import { param } from '../param';
import { defineNodeType, servingInput, servingOutput } from '../ports';

export const context: NodeType = defineNodeType({
  type: 'context',
  family: 'kv-cache',
  title: 'Context length',
  aliases: ['max-model-len', 'context window', 'ctx-size', 'sequence length'],
  summary: 'How many tokens, prompt and output together, one sequence may hold.',
  stage: 'kv-cache',
  inputs: [servingInput],
  outputs: [servingOutput],
  params: z.object({
    tokensPerSequence: param(z.number().int().min(16).max(10_000_000).default(1024), {
      label: 'Tokens a sequence',
      unit: 'tokens',
      description: 'Prompt and output of one sequence; each engine sizes its cache from it.',
      kind: 'launch',
      sweep: [512, 1024, 2048, 4096],
    }),
  }),
  apply: (p) => ({ contextTokensPerSequence: { value: p.tokensPerSequence, field: 'tokensPerSequence' } }),
  settings: ['contextTokensPerSequence'],
  label: (p) => `context ${p.tokensPerSequence}`,
  technique: {
    loss: 'none',
    maturity: 'production',
    suits: 'Fitting more sequences into memory when prompts are shorter than the model allows.',
    helps: ['memory', 'capacity'],
    hurtsWhen: 'Requests are longer than it: they are refused.',
    references: [],
  },
});

import { z } from 'zod';
import type { NodeType } from '../node-type';
import { param } from '../param';
import { defineNodeType, servingInput, servingOutput } from '../ports';

export const kvBlockSize: NodeType = defineNodeType({
  type: 'kv-block-size',
  family: 'kv-cache',
  title: 'KV block size',
  summary: 'How many tokens one page of the paged KV cache holds.',
  aliases: ['PagedAttention', 'page size', 'tokens_per_block', 'paging'],
  stage: 'kv-cache',
  inputs: [servingInput],
  outputs: [servingOutput],
  params: z.object({
    tokens: param(z.number().int().min(1).max(1024).default(16), {
      label: 'Tokens a block',
      unit: 'tokens',
      description: 'A sequence wastes at most one block less a token; a prefix is reused in whole blocks.',
      kind: 'launch',
      sweep: [16, 32, 64],
    }),
  }),
  apply: (p) => ({ kvBlockTokens: { value: p.tokens, field: 'tokens' } }),
  settings: ['kvBlockTokens'],
  label: (p) => `KV block ${p.tokens}`,
  technique: {
    loss: 'none',
    maturity: 'production',
    suits: 'Matching what an attention kernel wants, and fine prefix reuse (small blocks).',
    helps: ['memory', 'capacity'],
    hurtsWhen: 'It is large: short prefixes are not reused. It is small: some kernels refuse it or slow down.',
    references: ['https://arxiv.org/abs/2309.06180'],
  },
});

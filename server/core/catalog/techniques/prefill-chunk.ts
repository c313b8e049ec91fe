import { z } from 'zod';
import type { NodeType } from '../node-type';
import { param } from '../param';
import { defineNodeType, servingInput, servingOutput } from '../ports';

export const prefillChunk: NodeType = defineNodeType({
  type: 'prefill-chunk',
  family: 'serving',
  group: 'Batching',
  title: 'Prefill chunk',
  aliases: ['chunked prefill', 'max-num-batched-tokens', 'token budget', 'ubatch'],
  summary: 'How many prompt tokens one step may process beside the sequences that are decoding.',
  stage: 'serving',
  inputs: [servingInput],
  outputs: [servingOutput],
  params: z.object({
    tokens: param(z.number().int().min(16).max(1_048_576).default(256), {
      label: 'Prompt tokens a step',
      unit: 'tokens',
      description: 'Small chunks keep the other streams flowing; large ones finish a prompt sooner.',
      kind: 'launch',
      sweep: [64, 128, 256, 512],
    }),
  }),
  apply: (p) => ({ prefillTokensPerStep: { value: p.tokens, field: 'tokens' } }),
  settings: ['prefillTokensPerStep'],
  label: (p) => `chunk ${p.tokens}`,
  technique: {
    loss: 'none',
    maturity: 'production',
    suits: 'Long prompts that arrive while others are being answered.',
    helps: ['prefill', 'decode'],
    hurtsWhen: 'It is too small: the weights are read again for every chunk and TTFT grows.',
    references: ['https://arxiv.org/abs/2308.16369'],
  },
});

import { z } from 'zod';
import type { NodeType } from '../node-type';
import { onOffParam } from '../on-off-param';
import { defineNodeType, servingInput, servingOutput } from '../ports';

export const flashAttention: NodeType = defineNodeType({
  type: 'flash-attention',
  family: 'attention',
  title: 'Flash attention',
  aliases: ['FlashAttention', 'FA', 'tiled attention', 'exact attention', 'SDPA'],
  summary: 'Attention in tiles, without writing the score matrix to memory.',
  stage: 'attention',
  inputs: [servingInput],
  outputs: [servingOutput],
  params: z.object({ state: onOffParam('Tiled attention kernels on, or the plain ones.') }),
  apply: (p) => ({ flashAttention: { value: p.state, field: 'state' } }),
  settings: ['flashAttention'],
  label: (p) => `flash attention ${p.state}`,
  technique: {
    loss: 'none',
    maturity: 'production',
    suits: 'Long prompts, and a quantized value cache, which llama.cpp allows with it only.',
    helps: ['prefill', 'memory'],
    hurtsWhen: 'The device has no tuned kernel for the head size: it falls back or slows down.',
    references: ['https://arxiv.org/abs/2205.14135'],
  },
});

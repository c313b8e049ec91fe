import { z } from 'zod';
import { ATTENTION_BACKENDS } from '../../plan/settings';
import type { NodeType } from '../node-type';
import { param } from '../param';
import { defineNodeType, servingInput, servingOutput } from '../ports';

export const attentionBackend: NodeType = defineNodeType({
  type: 'attention-backend',
  family: 'attention',
  title: 'Attention backend',
  summary: 'The library of kernels that computes attention: FlashAttention 2, 3 or 4, FlashInfer, Triton, SDPA, eager.',
  aliases: [
    'FlashAttention 2',
    'FlashAttention 3',
    'FlashAttention 4',
    'FA2',
    'FA3',
    'FA4',
    'attn_implementation',
    'MLA kernels',
  ],
  stage: 'attention',
  inputs: [servingInput],
  outputs: [servingOutput],
  params: z.object({
    backend: param(z.enum(ATTENTION_BACKENDS).default('flashinfer'), {
      label: 'Backend',
      unit: null,
      description:
        'All give the same numbers up to rounding. Every engine picks one for the GPU by itself; name one to compare, or where a cache type needs it.',
      kind: 'launch',
      sweep: ['flash-attention-2', 'flash-attention-3', 'flashinfer', 'triton'],
    }),
  }),
  apply: (p) => ({ attentionBackend: { value: p.backend, field: 'backend' } }),
  settings: ['attentionBackend'],
  label: (p) => p.backend,
  technique: {
    loss: 'none',
    maturity: 'production',
    suits: 'Long prompts, head sizes that one library tunes better, FP8 caches that only some kernels read.',
    helps: ['prefill', 'memory'],
    hurtsWhen:
      'The choice is older than the GPU: FlashAttention 3 needs Hopper, 4 needs Blackwell, eager writes the whole score matrix.',
    references: [
      'https://arxiv.org/abs/2307.08691',
      'https://arxiv.org/abs/2407.08608',
      'https://arxiv.org/abs/2501.01005',
    ],
  },
});

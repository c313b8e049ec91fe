import { z } from 'zod';
import type { NodeType } from '../node-type';
import { param } from '../param';
import { defineNodeType, servingInput, servingOutput } from '../ports';

export const kvEviction: NodeType = defineNodeType({
  type: 'kv-eviction',
  family: 'kv-cache',
  title: 'KV eviction',
  summary: 'Cached tokens that matter least are dropped.',
  aliases: ['TriAttention', 'RocketKV', 'KV compression', 'token dropping', 'sparse attention'],
  stage: 'kv-cache',
  inputs: [servingInput],
  outputs: [servingOutput],
  params: z.object({
    method: param(z.enum(['rocket', 'triattention']).default('rocket'), {
      label: 'Method',
      unit: null,
      description:
        'How importance is judged; both exist in TensorRT-LLM only, rocket on Blackwell. triattention also needs a calibration file of the model, which a plan does not hold: it is refused until it does.',
      kind: 'launch',
      sweep: ['rocket', 'triattention'],
    }),
  }),
  apply: (p) => ({ kvEviction: { value: p.method, field: 'method' } }),
  settings: ['kvEviction'],
  label: (p) => `eviction ${p.method}`,
  technique: {
    loss: 'lossy',
    maturity: 'evolving',
    suits: 'Very long contexts whose answers depend on few places.',
    helps: ['memory', 'capacity', 'decode'],
    hurtsWhen: 'A later question needs what was dropped: multi-hop questions suffer first.',
    references: [
      'https://arxiv.org/abs/2502.14051',
      'https://nvidia.github.io/TensorRT-LLM/features/sparse-attention.html',
    ],
  },
});

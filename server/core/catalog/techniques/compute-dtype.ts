import { z } from 'zod';
import type { NodeType } from '../node-type';
import { param } from '../param';
import { defineNodeType, weightsInput, weightsOutput } from '../ports';

export const computeDtype: NodeType = defineNodeType({
  type: 'compute-dtype',
  family: 'compression',
  title: 'Compute type',
  summary: 'Number format of activations, and of weights that are not quantized.',
  aliases: ['dtype', 'bf16', 'fp16', 'fp32', 'half', 'precision'],
  stage: 'weights',
  inputs: [weightsInput],
  outputs: [weightsOutput],
  params: z.object({
    dtype: param(z.enum(['bfloat16', 'float16', 'float32']).default('float16'), {
      label: 'Type',
      unit: null,
      description:
        "bfloat16 has float32's range; float16 is more exact and may overflow; float32 takes twice the memory.",
      kind: 'launch',
      sweep: ['bfloat16', 'float16'],
    }),
  }),
  apply: (p) => ({ computeDtype: { value: p.dtype, field: 'dtype' } }),
  settings: ['computeDtype'],
  label: (p) => p.dtype,
  technique: {
    loss: 'none',
    maturity: 'production',
    suits: 'Volta and Turing, which have no bfloat16 (float16), and models that overflow in float16 (bfloat16).',
    helps: ['memory'],
    hurtsWhen: 'A model trained in bfloat16 overflows in float16 (Gemma does): its output becomes garbage.',
    references: ['https://arxiv.org/abs/1905.12322'],
  },
});

import { z } from 'zod';
import type { NodeType } from '../node-type';
import { onOffParam } from '../on-off-param';
import { defineNodeType, servingInput, servingOutput } from '../ports';

export const operatorFusion: NodeType = defineNodeType({
  type: 'operator-fusion',
  family: 'attention',
  title: 'Operator fusion',
  summary:
    'Neighbouring operations (norm + quantize, all-reduce + norm) run as one kernel, without a round trip through memory.',
  aliases: ['fused kernels', 'allreduce fusion', 'fuse_norm_quant', 'fuse_act_quant', 'graph optimization'],
  stage: 'attention',
  inputs: [servingInput],
  outputs: [servingOutput],
  params: z.object({
    state: onOffParam('The optional fusion passes on or off; those that the engine always runs stay.'),
  }),
  apply: (p) => ({ operatorFusion: { value: p.state, field: 'state' } }),
  settings: ['operatorFusion'],
  label: (p) => `fusion ${p.state}`,
  technique: {
    loss: 'none',
    maturity: 'production',
    suits: 'Quantized models and several GPUs: scales, norms and all-reduces are small and many.',
    helps: ['prefill', 'decode'],
    hurtsWhen: 'A pass does not know the model: engines skip it silently, so look at the effective configuration.',
    references: [
      'https://docs.vllm.ai/en/latest/design/fusions/',
      'https://docs.pytorch.org/docs/stable/torch.compiler.html',
    ],
  },
});

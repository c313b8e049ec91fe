import { z } from 'zod';
import type { NodeType } from '../node-type';
import { onOffParam } from '../on-off-param';
import { defineNodeType, servingInput, servingOutput } from '../ports';

export const torchCompile: NodeType = defineNodeType({
  type: 'torch-compile',
  family: 'attention',
  title: 'torch.compile',
  summary: 'The model is traced once and turned into fused kernels.',
  aliases: ['inductor', 'compilation', '-O3', 'graph compiler'],
  stage: 'attention',
  inputs: [servingInput],
  outputs: [servingOutput],
  params: z.object({ state: onOffParam('Compiled model on, or the layers as they are written.') }),
  apply: (p) => ({ torchCompile: { value: p.state, field: 'state' } }),
  settings: ['torchCompile'],
  label: (p) => `compile ${p.state}`,
  technique: {
    loss: 'none',
    maturity: 'production',
    suits: 'Small batches, where launching kernels takes longer than running them; Transformers with a static cache.',
    helps: ['prefill', 'decode'],
    hurtsWhen: 'Starts are frequent: the first one compiles for minutes. Shapes that change force another compilation.',
    references: [
      'https://docs.pytorch.org/docs/stable/generated/torch.compile.html',
      'https://huggingface.co/docs/transformers/llm_optims',
    ],
  },
});

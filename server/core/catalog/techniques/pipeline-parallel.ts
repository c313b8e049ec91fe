import { z } from 'zod';
import type { NodeType } from '../node-type';
import { param } from '../param';
import { defineNodeType, servingInput, servingOutput } from '../ports';

export const pipelineParallel: NodeType = defineNodeType({
  type: 'pipeline-parallel',
  family: 'serving',
  group: 'Parallelism',
  title: 'Pipeline parallelism',
  summary: 'Devices hold consecutive layers and pass activations on.',
  aliases: ['PP', 'pp-size', 'layer split'],
  stage: 'serving',
  inputs: [servingInput],
  outputs: [servingOutput],
  params: z.object({
    stages: param(z.number().int().min(1).max(1024).default(2), {
      label: 'Stages',
      unit: 'stages',
      description: 'Groups of layers, each on devices of its own.',
      kind: 'launch',
      sweep: [1, 2, 4],
    }),
  }),
  apply: (p) => ({ pipelineParallel: { value: p.stages, field: 'stages' } }),
  settings: ['pipelineParallel'],
  label: (p) => `PP${p.stages}`,
  technique: {
    loss: 'none',
    maturity: 'production',
    suits: 'Models larger than one machine, or devices with slow links.',
    helps: ['memory', 'capacity'],
    hurtsWhen: 'There is one stream: a stage works while the others wait. Most drafts do not run with it.',
    references: ['https://arxiv.org/abs/1811.06965'],
  },
});

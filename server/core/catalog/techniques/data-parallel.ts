import { z } from 'zod';
import type { NodeType } from '../node-type';
import { param } from '../param';
import { defineNodeType, servingInput, servingOutput } from '../ports';

export const dataParallel: NodeType = defineNodeType({
  type: 'data-parallel',
  family: 'serving',
  group: 'Parallelism',
  title: 'Data parallelism',
  summary: 'Whole copies of the model behind one server.',
  aliases: ['DP', 'replica ranks', 'dp-size'],
  stage: 'serving',
  inputs: [servingInput],
  outputs: [servingOutput],
  params: z.object({
    copies: param(z.number().int().min(1).max(1024).default(2), {
      label: 'Copies',
      unit: 'copies',
      description: 'Copies of the whole model; each takes the devices of its tensor and pipeline split.',
      kind: 'launch',
      sweep: [1, 2, 4],
    }),
  }),
  apply: (p) => ({ dataParallel: { value: p.copies, field: 'copies' } }),
  settings: ['dataParallel'],
  label: (p) => `DP${p.copies}`,
  technique: {
    loss: 'none',
    maturity: 'production',
    suits: 'A model that fits on few devices and more load than one copy carries; MoE with expert parallelism.',
    helps: ['capacity'],
    hurtsWhen: 'Prompts share prefixes: each copy has a cache of its own.',
    references: ['https://docs.vllm.ai/en/latest/serving/data_parallel_deployment/'],
  },
});

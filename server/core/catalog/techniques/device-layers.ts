import { z } from 'zod';
import type { NodeType } from '../node-type';
import { param } from '../param';
import { defineNodeType, servingInput, servingOutput } from '../ports';

export const deviceLayers: NodeType = defineNodeType({
  type: 'device-layers',
  family: 'serving',
  group: 'Memory and placement',
  title: 'Layers on the device',
  summary: 'So many layers run on the GPU, the rest on the CPU.',
  aliases: ['n-gpu-layers', 'ngl', 'partial offload'],
  stage: 'serving',
  inputs: [servingInput],
  outputs: [servingOutput],
  params: z.object({
    layers: param(z.number().int().min(0).max(1000).default(32), {
      label: 'Layers',
      unit: 'layers',
      description: '0: all on the CPU; as many as the model has: all on the device.',
      kind: 'launch',
      sweep: [0, 16, 32],
    }),
  }),
  apply: (p) => ({ deviceLayers: { value: p.layers, field: 'layers' } }),
  settings: ['deviceLayers'],
  label: (p) => `${p.layers} layers on GPU`,
  technique: {
    loss: 'none',
    maturity: 'production',
    suits: 'Models a little larger than the GPU, at one or few sequences.',
    helps: ['memory', 'decode'],
    hurtsWhen: 'More than a few layers are left out: each token waits for the CPU.',
    references: ['https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md'],
  },
});

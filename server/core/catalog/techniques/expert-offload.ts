import { z } from 'zod';
import type { NodeType } from '../node-type';
import { param } from '../param';
import { defineNodeType, servingInput, servingOutput } from '../ports';

export const expertOffload: NodeType = defineNodeType({
  type: 'expert-offload',
  family: 'serving',
  group: 'Memory and placement',
  title: 'Expert offload to CPU',
  summary: 'The experts of some MoE layers stay and run on the CPU; attention stays on the GPU.',
  aliases: ['n-cpu-moe', 'KTransformers', 'MoE offload', 'cpu-moe'],
  stage: 'serving',
  inputs: [servingInput],
  outputs: [servingOutput],
  params: z.object({
    layers: param(z.number().int().min(1).max(1000).default(16), {
      label: 'Layers',
      unit: 'layers',
      description: 'MoE layers whose experts stay on the CPU.',
      kind: 'launch',
      sweep: [8, 16, 32],
    }),
  }),
  apply: (p) => ({ cpuExpertLayers: { value: p.layers, field: 'layers' } }),
  settings: ['cpuExpertLayers'],
  label: (p) => `${p.layers} expert layers on CPU`,
  technique: {
    loss: 'none',
    maturity: 'production',
    suits: 'Large mixtures on one consumer GPU with fast host memory: few experts are read for each token.',
    helps: ['memory'],
    hurtsWhen: 'The batch is large: many experts are touched, and host memory becomes the limit.',
    references: ['https://github.com/kvcache-ai/ktransformers', 'https://github.com/ggml-org/llama.cpp/pull/11397'],
  },
});

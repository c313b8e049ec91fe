import { z } from 'zod';
import type { NodeType } from '../node-type';
import { param } from '../param';
import { defineNodeType, servingInput, servingOutput } from '../ports';

export const memoryFraction: NodeType = defineNodeType({
  type: 'memory-fraction',
  family: 'serving',
  group: 'Memory and placement',
  title: 'Memory fraction',
  summary: "Share of the device's memory that the engine may use.",
  aliases: ['gpu-memory-utilization', 'mem-fraction-static', 'free_gpu_memory_fraction', 'cache-max-entry-count'],
  stage: 'serving',
  inputs: [servingInput],
  outputs: [servingOutput],
  params: z.object({
    fraction: param(z.number().gt(0).max(1).default(0.9), {
      label: 'Fraction',
      unit: null,
      description:
        'Of the whole memory; what weights and activations leave becomes KV cache. Engines mean different things by it; each conversion is shown.',
      kind: 'launch',
      sweep: [0.8, 0.85, 0.9, 0.95],
    }),
  }),
  apply: (p) => ({ memoryFraction: { value: p.fraction, field: 'fraction' } }),
  settings: ['memoryFraction'],
  label: (p) => `memory ${Math.round(p.fraction * 100)} %`,
  technique: {
    loss: 'none',
    maturity: 'production',
    suits: 'More cache on a device of its own, or room for a second process.',
    helps: ['capacity'],
    hurtsWhen: 'It is too high: long prompts or CUDA graphs run out of memory under load.',
    references: ['https://docs.vllm.ai/en/latest/configuration/conserving_memory/'],
  },
});

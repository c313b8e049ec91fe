import { z } from 'zod';
import type { NodeType } from '../node-type';
import { param } from '../param';
import { defineNodeType, servingInput, servingOutput } from '../ports';

export const loraAdapter: NodeType = defineNodeType({
  type: 'lora-adapter',
  family: 'serving',
  group: 'Adapters and pools',
  title: 'LoRA adapter',
  summary: 'A small set of weights that requests can name, on top of the model. Chain several.',
  aliases: ['LoRA', 'adapters', 'multi-LoRA', 'S-LoRA', 'fine-tune'],
  stage: 'serving',
  inputs: [servingInput],
  outputs: [servingOutput],
  params: z.object({
    name: param(z.string().min(1).max(200).nullable().default(null), {
      label: 'Name',
      unit: null,
      description: 'How requests name it, in the field `model`.',
      kind: 'launch',
      control: 'text',
    }),
    source: param(z.string().min(1).nullable().default(null), {
      label: 'Adapter',
      unit: null,
      description: 'Repository, or folder on the worker.',
      kind: 'launch',
      control: 'text',
    }),
    maxRank: param(z.number().int().min(1).max(1024).nullable().default(null), {
      label: 'Largest rank',
      unit: 'dimensions',
      description: "Rank of the largest adapter; memory is set aside for it. Empty leaves the engine's default.",
      kind: 'launch',
      sweep: [16, 32, 64],
    }),
    maxActive: param(z.number().int().min(1).max(1024).nullable().default(null), {
      label: 'Adapters in a batch',
      unit: 'adapters',
      description: "So many different adapters run in one step. Empty leaves the engine's default.",
      kind: 'launch',
      sweep: [1, 4, 8],
    }),
  }),
  apply: (p) => ({
    ...(p.name !== null &&
      p.source !== null && { loraAdapters: { value: [{ name: p.name, source: p.source }], field: 'source' } }),
    ...(p.maxRank !== null && { loraMaxRank: { value: p.maxRank, field: 'maxRank' } }),
    ...(p.maxActive !== null && { loraMaxActive: { value: p.maxActive, field: 'maxActive' } }),
  }),
  faults: (p) => [
    ...(p.name === null ? [{ field: 'name' as const, message: 'Name the adapter as requests will name it.' }] : []),
    ...(p.source === null
      ? [{ field: 'source' as const, message: 'Say where the adapter is: a repository or a folder on the worker.' }]
      : []),
  ],
  settings: ['loraAdapters', 'loraMaxRank', 'loraMaxActive'],
  label: (p) => (p.name === null ? null : `LoRA ${p.name}`),
  technique: {
    loss: 'none',
    maturity: 'production',
    suits: 'One base model for many tenants or tasks, instead of a server for each.',
    helps: ['memory', 'capacity'],
    hurtsWhen:
      'Many adapters are active at once, or ranks are large: each step computes them all. Some engines refuse it beside speculation.',
    references: ['https://arxiv.org/abs/2106.09685', 'https://arxiv.org/abs/2311.03285'],
  },
});

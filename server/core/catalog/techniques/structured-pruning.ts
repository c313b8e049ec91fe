import { z } from 'zod';
import { checkpointRequest, idleFor, sourceParam, toolParam } from '../checkpoint-params';
import type { NodeType } from '../node-type';
import { param } from '../param';
import { defineNodeType, weightsInput, weightsOutput } from '../ports';

export const structuredPruning: NodeType = defineNodeType({
  type: 'structured-pruning',
  family: 'compression',
  group: 'Pruning, distillation',
  title: 'Structured pruning',
  summary: 'Whole heads, channels or layers are removed: an ordinary, smaller dense model.',
  aliases: ['LLM-Pruner', 'Minitron', 'layer drop', 'depth pruning', 'width pruning'],
  stage: 'weights',
  inputs: [weightsInput],
  outputs: [weightsOutput],
  params: z.object({
    source: sourceParam(['checkpoint', 'recipe']),
    model: param(z.string().min(1).nullable().default(null), {
      label: 'Pruned model',
      unit: null,
      description:
        'For a checkpoint: the pruned model, an id of the table or a repository. It takes the place of the model that enters.',
      kind: 'launch',
      control: 'model',
    }),
    tool: toolParam(['layer-drop']),
    layers: param(z.number().int().min(1).max(200).default(4), {
      label: 'Layers taken out',
      unit: 'layers',
      description:
        'For a recipe: so many consecutive layers before the last one. A tenth of them costs little, a third much; a short training afterwards repairs most of it.',
      kind: 'launch',
      sweep: [2, 4, 8],
    }),
  }),
  apply: () => ({ weightsSparsity: { value: 'structured', field: 'source' } }),
  faults: (p) =>
    p.source === 'checkpoint' && p.model === null
      ? [
          {
            field: 'model',
            message: 'Name the pruned model that takes the place of the one that enters, or make it by recipe.',
          },
        ]
      : [],
  withoutEffect: (p) => [
    ...idleFor(p.source, ['tool', 'layers']).filter((field) => field !== 'repo'),
    ...(p.source === 'checkpoint' ? [] : (['model'] as const)),
  ],
  settings: ['weightsSparsity'],
  replacesModel: (p) => (p.source === 'checkpoint' ? p.model : null),
  checkpoint: (p) =>
    checkpointRequest({ source: p.source, tool: p.tool, repo: null, knownAs: [], options: { layers: p.layers } }),
  label: (p) => (p.source === 'recipe' ? `${p.layers} layers out` : `pruned: ${p.model ?? 'not named'}`),
  technique: {
    loss: 'over-3-percent',
    maturity: 'evolving',
    suits:
      'Hard limits of size that quantization alone does not meet: 20–40 % of the parameters at 90 % of the accuracy or more.',
    helps: ['prefill', 'decode', 'memory', 'capacity'],
    hurtsWhen: 'Nobody trains it afterwards: accuracy falls fast. Heads and widths must still divide by the devices.',
    references: [
      'https://arxiv.org/abs/2305.11627',
      'https://arxiv.org/abs/2407.14679',
      'https://arxiv.org/abs/2403.17887',
    ],
  },
});

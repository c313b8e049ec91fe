import { z } from 'zod';
import { checkpointRequest, idleFor, repoParam, sourceParam, toolParam } from '../checkpoint-params';
import type { NodeType } from '../node-type';
import { defineNodeType, weightsInput, weightsOutput } from '../ports';

export const bitsandbytesNf4: NodeType = defineNodeType({
  type: 'bitsandbytes-nf4',
  family: 'compression',
  group: 'Quantization',
  title: 'bitsandbytes 4-bit (NF4)',
  summary: 'Weights in 4 bits on a grid made for normally distributed values. Needs no calibration.',
  aliases: ['bnb', 'bnb-4bit', 'QLoRA', 'int4', 'load_in_4bit'],
  stage: 'weights',
  inputs: [weightsInput],
  outputs: [weightsOutput],
  params: z.object({
    source: sourceParam(['online', 'checkpoint', 'recipe']),
    repo: repoParam(),
    tool: toolParam(
      ['bitsandbytes'],
      'Olive is not among them: its NF4 is an ONNX operator, not a checkpoint of bitsandbytes.',
    ),
  }),
  apply: () => ({ weightsFormat: { value: 'safetensors:bnb-nf4', field: 'source' } }),
  withoutEffect: (p) => idleFor(p.source, ['tool']),
  settings: ['weightsFormat'],
  checkpoint: (p) =>
    checkpointRequest({ ...p, knownAs: ['BNB', 'bitsandbytes'], knownMatching: /^(?!.*(8.?bit|int8))/i }),
  label: () => 'bnb NF4',
  technique: {
    loss: '1-to-3-percent',
    maturity: 'production',
    suits: 'Trying whether a model fits at all, and adapters that were trained on it (QLoRA).',
    helps: ['memory', 'capacity'],
    hurtsWhen: 'Speed matters: its kernels are slower than AWQ or GPTQ with Marlin, often slower than 16 bits.',
    references: ['https://arxiv.org/abs/2305.14314'],
  },
});

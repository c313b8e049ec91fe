import { z } from 'zod';
import { checkpointRequest } from '../checkpoint-params';
import type { NodeType } from '../node-type';
import { param } from '../param';
import { defineNodeType, weightsInput, weightsOutput } from '../ports';

export const int8WeightOnly: NodeType = defineNodeType({
  type: 'int8-weight-only',
  family: 'compression',
  group: 'Quantization',
  title: 'INT8 weight-only (W8A16)',
  summary: 'Weights in 8-bit integers, activations as they are. The engine converts them while it loads.',
  aliases: ['W8A16', 'int8', 'weight-only', 'eetq', 'quanto', 'torchao'],
  stage: 'weights',
  inputs: [weightsInput],
  outputs: [weightsOutput],
  params: z.object({
    source: param(z.enum(['online']).default('online'), {
      label: 'Weights',
      unit: null,
      description: 'online: the engine converts the weights while it loads them.',
      kind: 'launch',
      sweep: ['online'],
    }),
  }),
  apply: () => ({ weightsFormat: { value: 'safetensors:int8-weight-only', field: 'source' } }),
  settings: ['weightsFormat'],
  checkpoint: (p) => checkpointRequest({ source: p.source, repo: null, knownAs: [] }),
  label: () => 'INT8 weights',
  technique: {
    loss: 'under-1-percent',
    maturity: 'production',
    suits: 'Small batches on GPUs without FP8: half the bytes to read for each token, no calibration.',
    helps: ['decode', 'memory', 'capacity'],
    hurtsWhen: 'The batch is large: arithmetic stays in 16 bits and unpacking comes on top.',
    references: ['https://arxiv.org/abs/2208.07339'],
  },
});

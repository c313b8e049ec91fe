import { z } from 'zod';
import { checkpointRequest, idleFor, repoParam, sourceParam, toolParam } from '../checkpoint-params';
import type { NodeType } from '../node-type';
import { defineNodeType, weightsInput, weightsOutput } from '../ports';

export const bitsandbytesInt8: NodeType = defineNodeType({
  type: 'bitsandbytes-int8',
  family: 'compression',
  group: 'Quantization',
  title: 'bitsandbytes 8-bit',
  summary: 'Weights in 8-bit integers; columns with outliers are multiplied in 16 bits (LLM.int8).',
  aliases: ['bnb', 'bnb-8bit', 'LLM.int8', 'load_in_8bit'],
  stage: 'weights',
  inputs: [weightsInput],
  outputs: [weightsOutput],
  params: z.object({
    source: sourceParam(['online', 'checkpoint', 'recipe']),
    repo: repoParam(),
    tool: toolParam(['bitsandbytes']),
  }),
  apply: () => ({ weightsFormat: { value: 'safetensors:bnb-int8', field: 'source' } }),
  withoutEffect: (p) => idleFor(p.source, ['tool']),
  settings: ['weightsFormat'],
  checkpoint: (p) => checkpointRequest({ ...p, knownAs: ['BNB', 'bitsandbytes'], knownMatching: /8.?bit|int8/i }),
  label: () => 'bnb INT8',
  technique: {
    loss: 'under-1-percent',
    maturity: 'production',
    suits: 'Halving the memory of any model on nearly any GPU without a prepared file.',
    helps: ['memory', 'capacity'],
    hurtsWhen: 'Speed matters: splitting off the outliers makes each step slower than in 16 bits.',
    references: ['https://arxiv.org/abs/2208.07339'],
  },
});

import { z } from 'zod';
import { checkpointRequest, idleFor, repoParam, sourceParam, toolParam } from '../checkpoint-params';
import type { NodeType } from '../node-type';
import { defineNodeType, weightsInput, weightsOutput } from '../ports';

export const mxfp4: NodeType = defineNodeType({
  type: 'mxfp4',
  family: 'compression',
  group: 'Quantization',
  title: 'MXFP4',
  summary:
    '4-bit floating point with one power-of-two scale for each 32 values (OCP microscaling), as gpt-oss is published.',
  aliases: ['fp4', 'microscaling', 'OCP MX', 'gpt-oss'],
  stage: 'weights',
  inputs: [weightsInput],
  outputs: [weightsOutput],
  params: z.object({
    source: sourceParam(['checkpoint', 'online', 'recipe']),
    repo: repoParam(),
    tool: toolParam(['llm-compressor', 'modelopt']),
  }),
  apply: () => ({ weightsFormat: { value: 'safetensors:mxfp4', field: 'source' } }),
  withoutEffect: (p) => idleFor(p.source, ['tool']),
  settings: ['weightsFormat'],
  checkpoint: (p) => checkpointRequest({ ...p, knownAs: ['MXFP4'] }),
  label: () => 'MXFP4',
  technique: {
    loss: '1-to-3-percent',
    maturity: 'evolving',
    suits: 'Mixture-of-experts models that were trained for it (gpt-oss loses nothing by it).',
    helps: ['decode', 'memory', 'capacity'],
    hurtsWhen: 'A model was not trained for it: rounding to powers of two loses more than NVFP4 or AWQ.',
    references: ['https://arxiv.org/abs/2310.10537', 'https://huggingface.co/openai/gpt-oss-120b'],
  },
});

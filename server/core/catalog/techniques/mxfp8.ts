import { z } from 'zod';
import { checkpointRequest, idleFor, repoParam, sourceParam } from '../checkpoint-params';
import type { NodeType } from '../node-type';
import { defineNodeType, weightsInput, weightsOutput } from '../ports';

export const mxfp8: NodeType = defineNodeType({
  type: 'mxfp8',
  family: 'compression',
  group: 'Quantization',
  title: 'MXFP8',
  summary: '8-bit floating point with one power-of-two scale for each 32 values (OCP microscaling).',
  aliases: ['fp8', 'microscaling', 'OCP MX'],
  stage: 'weights',
  inputs: [weightsInput],
  outputs: [weightsOutput],
  params: z.object({ source: sourceParam(['online', 'checkpoint']), repo: repoParam() }),
  apply: () => ({ weightsFormat: { value: 'safetensors:mxfp8', field: 'source' } }),
  withoutEffect: (p) => idleFor(p.source, []),
  settings: ['weightsFormat'],
  checkpoint: (p) => checkpointRequest({ ...p, knownAs: ['MXFP8'] }),
  label: () => 'MXFP8',
  technique: {
    loss: 'under-1-percent',
    maturity: 'evolving',
    suits: 'Blackwell and MI355X, which scale blocks of 32 in hardware.',
    helps: ['prefill', 'decode', 'memory', 'capacity'],
    hurtsWhen: 'The GPU has no microscaling units: plain FP8 is faster there.',
    references: ['https://arxiv.org/abs/2310.10537'],
  },
});

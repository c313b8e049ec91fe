import { z } from 'zod';
import { calibrationParam, checkpointRequest, idleFor, repoParam, sourceParam, toolParam } from '../checkpoint-params';
import type { NodeType } from '../node-type';
import { defineNodeType, weightsInput, weightsOutput } from '../ports';

export const nvfp4: NodeType = defineNodeType({
  type: 'nvfp4',
  family: 'compression',
  group: 'Quantization',
  title: 'NVFP4',
  summary: '4-bit floating point with an FP8 scale for each 16 values: weights and activations on Blackwell.',
  aliases: ['fp4', 'modelopt_fp4', 'W4A4', 'Blackwell'],
  stage: 'weights',
  inputs: [weightsInput],
  outputs: [weightsOutput],
  params: z.object({
    source: sourceParam(['checkpoint', 'online', 'recipe']),
    repo: repoParam(),
    tool: toolParam(['modelopt', 'llm-compressor']),
    calibrationSamples: calibrationParam(),
  }),
  apply: () => ({ weightsFormat: { value: 'safetensors:nvfp4', field: 'source' } }),
  withoutEffect: (p) => idleFor(p.source, ['tool', 'calibrationSamples']),
  settings: ['weightsFormat'],
  checkpoint: (p) =>
    checkpointRequest({ ...p, knownAs: ['NVFP4'], options: { calibrationSamples: p.calibrationSamples } }),
  label: () => 'NVFP4',
  technique: {
    loss: '1-to-3-percent',
    maturity: 'evolving',
    suits: 'Blackwell (compute capability 10.0 and later), which multiplies 4-bit floats natively.',
    helps: ['prefill', 'decode', 'memory', 'capacity'],
    hurtsWhen:
      'The GPU is older: engines fall back to unpacking (W4A16) or refuse. Small models lose more than 3 % on reasoning.',
    references: [
      'https://developer.nvidia.com/blog/introducing-nvfp4-for-efficient-and-accurate-low-precision-inference/',
      'https://arxiv.org/abs/2310.10537',
    ],
  },
});

import { z } from 'zod';
import { calibrationParam, checkpointRequest, idleFor, repoParam, sourceParam, toolParam } from '../checkpoint-params';
import type { NodeType } from '../node-type';
import { param } from '../param';
import { defineNodeType, weightsInput, weightsOutput } from '../ports';

export const int8W8a8: NodeType = defineNodeType({
  type: 'int8-w8a8',
  family: 'compression',
  group: 'Quantization',
  title: 'INT8 W8A8 (SmoothQuant)',
  summary: 'Weights and activations in 8-bit integers; outliers of the activations are moved into the weights first.',
  aliases: ['SmoothQuant', 'w8a8', 'compressed-tensors', 'int8'],
  stage: 'weights',
  inputs: [weightsInput],
  outputs: [weightsOutput],
  params: z.object({
    source: sourceParam(['checkpoint', 'recipe']),
    repo: repoParam(),
    tool: toolParam(['llm-compressor', 'modelopt', 'lmdeploy-lite']),
    smoothing: param(z.number().min(0).max(1).default(0.8), {
      label: 'Smoothing strength',
      unit: null,
      description:
        "For a recipe: share of the activations' range that is moved into the weights (alpha of SmoothQuant).",
      kind: 'launch',
      sweep: [0.5, 0.8, 0.9],
    }),
    calibrationSamples: calibrationParam(),
  }),
  apply: () => ({ weightsFormat: { value: 'safetensors:int8-w8a8', field: 'source' } }),
  withoutEffect: (p) => idleFor(p.source, ['tool', 'smoothing', 'calibrationSamples']),
  settings: ['weightsFormat'],
  checkpoint: (p) =>
    checkpointRequest({
      ...p,
      knownAs: ['INT8 W8A8'],
      options: { smoothing: p.smoothing, calibrationSamples: p.calibrationSamples },
    }),
  label: () => 'INT8 W8A8',
  technique: {
    loss: 'under-1-percent',
    maturity: 'production',
    suits: 'GPUs from Turing to Hopper, and CPUs: large batches and long prompts, where arithmetic is the limit.',
    helps: ['prefill', 'decode', 'memory', 'capacity'],
    hurtsWhen: 'The GPU is Blackwell: its INT8 kernels are missing or slow, FP8 is the better choice there.',
    references: ['https://arxiv.org/abs/2211.10438', 'https://github.com/mit-han-lab/smoothquant'],
  },
});

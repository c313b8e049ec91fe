import { z } from 'zod';
import {
  calibrationParam,
  checkpointRequest,
  groupSizeParam,
  idleFor,
  repoParam,
  sourceParam,
  toolParam,
} from '../checkpoint-params';
import type { NodeType } from '../node-type';
import { defineNodeType, weightsInput, weightsOutput } from '../ports';

export const awq: NodeType = defineNodeType({
  type: 'awq',
  family: 'compression',
  group: 'Quantization',
  title: 'AWQ INT4',
  summary:
    'Weights in 4 bits; the few that matter most for the activations are scaled so that they keep their precision.',
  aliases: ['activation-aware', 'int4', 'W4A16_AWQ', 'awq_marlin', 'auto_awq'],
  stage: 'weights',
  inputs: [weightsInput],
  outputs: [weightsOutput],
  params: z.object({
    source: sourceParam(['checkpoint', 'recipe']),
    repo: repoParam(),
    tool: toolParam(['llm-compressor', 'autoawq', 'gptqmodel', 'modelopt', 'lmdeploy-lite', 'olive']),
    groupSize: groupSizeParam(),
    calibrationSamples: calibrationParam(),
  }),
  apply: () => ({ weightsFormat: { value: 'safetensors:awq-int4', field: 'source' } }),
  withoutEffect: (p) => idleFor(p.source, ['tool', 'groupSize', 'calibrationSamples']),
  settings: ['weightsFormat'],
  checkpoint: (p) =>
    checkpointRequest({
      ...p,
      knownAs: ['AWQ'],
      options: { groupSize: p.groupSize, calibrationSamples: p.calibrationSamples },
    }),
  label: () => 'AWQ',
  technique: {
    loss: '1-to-3-percent',
    maturity: 'production',
    suits: 'Few sequences on one GPU: a quarter of the bytes to read for each token. From 7B up.',
    helps: ['decode', 'memory', 'capacity'],
    hurtsWhen:
      'The batch is large or prompts are long: arithmetic stays in 16 bits and unpacking costs more than it saves (ModelOpt on H200: 1.33× at batch 1, 0.75× at batch 8).',
    references: ['https://arxiv.org/abs/2306.00978', 'https://github.com/mit-han-lab/llm-awq'],
  },
});

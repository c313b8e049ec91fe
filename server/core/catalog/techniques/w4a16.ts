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

export const w4a16: NodeType = defineNodeType({
  type: 'w4a16',
  family: 'compression',
  group: 'Quantization',
  title: 'W4A16 (compressed-tensors)',
  summary: 'Weights in 4-bit integers with a scale for each group, in the container that LLM Compressor writes.',
  aliases: ['int4', 'compressed-tensors', 'WNA16', 'AutoRound', 'weight-only', 'RTN'],
  stage: 'weights',
  inputs: [weightsInput],
  outputs: [weightsOutput],
  params: z.object({
    source: sourceParam(['recipe', 'checkpoint', 'online']),
    repo: repoParam(),
    tool: toolParam(['llm-compressor', 'auto-round', 'olive']),
    groupSize: groupSizeParam(),
    calibrationSamples: calibrationParam(),
  }),
  apply: () => ({ weightsFormat: { value: 'safetensors:w4a16', field: 'source' } }),
  withoutEffect: (p) => idleFor(p.source, ['tool', 'groupSize', 'calibrationSamples']),
  settings: ['weightsFormat'],
  checkpoint: (p) =>
    checkpointRequest({
      ...p,
      knownAs: ['W4A16', 'INT4 W4A16'],
      options: { groupSize: p.groupSize, calibrationSamples: p.calibrationSamples },
    }),
  label: () => 'W4A16',
  technique: {
    loss: '1-to-3-percent',
    maturity: 'production',
    suits: 'vLLM and SGLang on Ampere to Hopper at few sequences, where no AWQ or GPTQ file exists.',
    helps: ['decode', 'memory', 'capacity'],
    hurtsWhen: 'The batch is large: unpacking the weights costs more than the saved reads.',
    references: ['https://github.com/vllm-project/llm-compressor', 'https://arxiv.org/abs/2210.17323'],
  },
});

import { z } from 'zod';
import {
  calibrationParam,
  checkpointRequest,
  idleFor,
  repoParam,
  sourceParam,
  toolFaults,
  toolParam,
} from '../checkpoint-params';
import type { NodeType } from '../node-type';
import { param } from '../param';
import { defineNodeType, weightsInput, weightsOutput } from '../ports';

const SCHEMES = { dynamic: 'fp8', static: 'fp8-static', block: 'fp8-block' } as const;

/** The key `FP8` holds both; these publishers quantize in blocks of 128 × 128 (their config.json: weight_block_size). */
const IN_BLOCKS = /^(Qwen|deepseek-ai)\//i;
const NOT_IN_BLOCKS = /^(?!Qwen\/|deepseek-ai\/)/i;

const STATIC_ONLINE = {
  field: 'source' as const,
  message: 'Static scales are calibrated beforehand; an engine makes only dynamic or block scales while it loads.',
};

export const fp8: NodeType = defineNodeType({
  type: 'fp8',
  family: 'compression',
  group: 'Quantization',
  title: 'FP8 W8A8',
  summary: 'Weights and activations in 8-bit floating point (E4M3).',
  aliases: [
    'FP8 static',
    'FP8 dynamic',
    'FP8 block',
    'e4m3',
    'w8a8_fp8',
    'modelopt_fp8',
    'DeepSeek FP8',
    'compressed-tensors',
  ],
  stage: 'weights',
  inputs: [weightsInput],
  outputs: [weightsOutput],
  params: z.object({
    scales: param(z.enum(['dynamic', 'static', 'block']).default('dynamic'), {
      label: 'Scales',
      unit: null,
      description:
        'dynamic: of activations at run time; static: calibrated and stored; block: one for each 128 × 128 weights, as DeepSeek and Qwen publish.',
      kind: 'launch',
      sweep: ['dynamic', 'static', 'block'],
    }),
    source: sourceParam(['online', 'checkpoint', 'recipe']),
    repo: repoParam(),
    tool: toolParam(['llm-compressor', 'modelopt', 'lmdeploy-lite']),
    calibrationSamples: calibrationParam(),
  }),
  apply: (p) => ({ weightsFormat: { value: `safetensors:${SCHEMES[p.scales]}`, field: 'scales' } }),
  faults: (p) => [
    ...(p.scales === 'static' && p.source === 'online' ? [STATIC_ONLINE] : []),
    ...toolFaults(p, SCHEMES[p.scales]),
  ],
  withoutEffect: (p) => [
    ...idleFor(p.source, ['tool', 'calibrationSamples']),
    ...(p.source === 'recipe' && p.scales !== 'static' ? (['calibrationSamples'] as const) : []),
  ],
  settings: ['weightsFormat'],
  checkpoint: (p) =>
    checkpointRequest({
      ...p,
      knownAs: p.scales === 'dynamic' ? ['FP8-dynamic'] : ['FP8'],
      ...(p.scales !== 'dynamic' && { knownMatching: p.scales === 'block' ? IN_BLOCKS : NOT_IN_BLOCKS }),
      ...(p.scales === 'static' && { options: { calibrationSamples: p.calibrationSamples } }),
    }),
  label: (p) => (p.scales === 'dynamic' ? 'FP8' : `FP8 ${p.scales}`),
  technique: {
    loss: 'under-1-percent',
    maturity: 'production',
    suits: 'Ada, Hopper, Blackwell and MI300: half the memory and twice the arithmetic at nearly no loss.',
    helps: ['prefill', 'decode', 'memory', 'capacity'],
    hurtsWhen:
      'The GPU is older (below compute capability 8.9): the engine unpacks to 16 bits or refuses. Blocks need (MLP width ÷ devices) in multiples of 128.',
    references: ['https://arxiv.org/abs/2209.05433', 'https://docs.vllm.ai/en/latest/features/quantization/fp8.html'],
  },
});

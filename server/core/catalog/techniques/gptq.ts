import { z } from 'zod';
import {
  calibrationParam,
  checkpointRequest,
  groupSizeParam,
  idleFor,
  repoParam,
  sourceParam,
  toolFaults,
  toolParam,
} from '../checkpoint-params';
import type { NodeType } from '../node-type';
import { param } from '../param';
import { defineNodeType, weightsInput, weightsOutput } from '../ports';

export const gptq: NodeType = defineNodeType({
  type: 'gptq',
  family: 'compression',
  group: 'Quantization',
  title: 'GPTQ',
  summary:
    'Weights in 4 or 8 bits, rounded one column after the other so that later ones repair the error of earlier ones.',
  aliases: ['int4', 'int8', 'W4A16_GPTQ', 'gptq_marlin', 'auto_gptq', 'AutoRound'],
  stage: 'weights',
  inputs: [weightsInput],
  outputs: [weightsOutput],
  params: z.object({
    bits: param(z.enum(['4', '8']).default('4'), {
      label: 'Bits',
      unit: 'bits',
      description: '4 halves the memory of 8 once more and loses more.',
      kind: 'launch',
      sweep: ['4', '8'],
    }),
    source: sourceParam(['checkpoint', 'recipe']),
    repo: repoParam(),
    tool: toolParam(['gptqmodel', 'auto-round', 'lmdeploy-lite', 'olive']),
    groupSize: groupSizeParam(),
    calibrationSamples: calibrationParam(),
  }),
  apply: (p) => ({ weightsFormat: { value: `safetensors:gptq-int${p.bits}`, field: 'bits' } }),
  faults: (p) => toolFaults(p, `gptq-int${p.bits}`),
  withoutEffect: (p) => idleFor(p.source, ['tool', 'groupSize', 'calibrationSamples']),
  settings: ['weightsFormat'],
  checkpoint: (p) =>
    checkpointRequest({
      ...p,
      knownAs: ['GPTQ'],
      knownMatching: p.bits === '8' ? /int8/i : /^(?!.*int8)/i,
      options: { groupSize: p.groupSize, calibrationSamples: p.calibrationSamples },
    }),
  loss: (p) => (p.bits === '8' ? 'under-1-percent' : '1-to-3-percent'),
  label: (p) => `GPTQ INT${p.bits}`,
  technique: {
    loss: '1-to-3-percent',
    maturity: 'production',
    suits: 'Models from 7B up on Ampere and Ada, at few sequences. Small models lose more.',
    helps: ['decode', 'memory', 'capacity'],
    hurtsWhen: 'The batch is large: unpacking the weights costs more than the saved reads.',
    references: ['https://arxiv.org/abs/2210.17323', 'https://github.com/ModelCloud/GPTQModel'],
  },
});

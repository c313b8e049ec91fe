import { z } from 'zod';
import type { NodeType } from '../node-type';
import { param } from '../param';
import { defineNodeType, servingInput, servingOutput } from '../ports';

export const disaggregation: NodeType = defineNodeType({
  type: 'disaggregation',
  family: 'serving',
  group: 'Adapters and pools',
  title: 'Prefill/decode disaggregation',
  summary: 'Prompts are read by one pool of engines and answers written by another; the cache is handed over.',
  aliases: [
    'PD disaggregation',
    'prefill pool',
    'decode pool',
    'NIXL',
    'DistServe',
    'Splitwise',
    'KV connector',
    'Dynamo',
  ],
  stage: 'serving',
  inputs: [servingInput],
  outputs: [servingOutput],
  params: z.object({
    connector: param(z.enum(['nixl', 'mooncake', 'lmcache']).default('nixl'), {
      label: 'Connector',
      unit: null,
      description: 'How keys and values travel between the pools.',
      kind: 'launch',
      sweep: ['nixl', 'mooncake'],
    }),
    prefillReplicas: param(z.number().int().min(1).max(1024).default(1), {
      label: 'Prefill replicas',
      unit: 'replicas',
      description: 'Engines that only prefill.',
      kind: 'launch',
      sweep: [1, 2, 4],
    }),
    prefillDevices: param(z.number().int().min(1).max(1024).default(1), {
      label: 'Prefill devices',
      unit: 'devices',
      description: 'Devices of one prefill engine.',
      kind: 'launch',
      sweep: [1, 2, 4],
    }),
    prefillTensorParallel: param(z.number().int().min(1).max(1024).default(1), {
      label: 'Prefill tensor parallel',
      unit: 'devices',
      description: 'Devices that share each layer in a prefill engine.',
      kind: 'launch',
      sweep: [1, 2, 4],
    }),
    decodeReplicas: param(z.number().int().min(1).max(1024).default(1), {
      label: 'Decode replicas',
      unit: 'replicas',
      description: 'Engines that only decode.',
      kind: 'launch',
      sweep: [1, 2, 4],
    }),
    decodeDevices: param(z.number().int().min(1).max(1024).default(1), {
      label: 'Decode devices',
      unit: 'devices',
      description: 'Devices of one decode engine.',
      kind: 'launch',
      sweep: [1, 2, 4],
    }),
    decodeTensorParallel: param(z.number().int().min(1).max(1024).default(1), {
      label: 'Decode tensor parallel',
      unit: 'devices',
      description: 'Devices that share each layer in a decode engine.',
      kind: 'launch',
      sweep: [1, 2, 4],
    }),
  }),
  apply: () => ({}),
  policy: (p) => ({
    disaggregation: {
      connector: p.connector,
      prefill: { replicas: p.prefillReplicas, devices: p.prefillDevices, tensorParallel: p.prefillTensorParallel },
      decode: { replicas: p.decodeReplicas, devices: p.decodeDevices, tensorParallel: p.decodeTensorParallel },
    },
  }),
  faults: (p) =>
    (['prefill', 'decode'] as const).flatMap((pool) =>
      p[`${pool}TensorParallel`] > p[`${pool}Devices`]
        ? [
            {
              field: `${pool}TensorParallel` as const,
              message: `A ${pool} engine cannot split its layers over more devices than it has.`,
            },
          ]
        : [],
    ),
  settings: [],
  label: (p) => `prefill ${p.prefillReplicas} / decode ${p.decodeReplicas}`,
  technique: {
    loss: 'none',
    maturity: 'evolving',
    suits: 'Large fleets with a TTFT and a TPOT limit: each pool is sized and split for its own phase.',
    helps: ['prefill', 'decode', 'capacity'],
    hurtsWhen:
      'The fleet is small, prompts are short, or there is no RDMA: handing over costs more than the stalls that it avoids.',
    references: ['https://arxiv.org/abs/2401.09670', 'https://arxiv.org/abs/2311.18677'],
  },
});

import { z } from 'zod';
import type { NodeType } from '../node-type';
import { param } from '../param';
import { defineNodeType, servingInput, servingOutput } from '../ports';

const BYTES_PER_GIB = 2 ** 30;

export const cpuOffload: NodeType = defineNodeType({
  type: 'cpu-offload',
  family: 'serving',
  group: 'Memory and placement',
  title: 'CPU offload',
  summary: 'Some weights stay in host memory and are copied in for each step.',
  aliases: ['offload', 'cpu-offload-gb', 'FlexGen', 'device_map'],
  stage: 'serving',
  inputs: [servingInput],
  outputs: [servingOutput],
  params: z.object({
    gibPerDevice: param(z.number().gt(0).max(4096).default(4), {
      label: 'Weights in host memory',
      unit: 'GiB a device',
      description: 'How much of the weights does not stay on the device.',
      kind: 'launch',
      sweep: [2, 4, 8, 16],
    }),
  }),
  apply: (p) => ({
    cpuOffloadBytes: { value: Math.max(1, Math.round(p.gibPerDevice * BYTES_PER_GIB)), field: 'gibPerDevice' },
  }),
  settings: ['cpuOffloadBytes'],
  label: (p) => `offload ${p.gibPerDevice} GiB`,
  technique: {
    loss: 'none',
    maturity: 'production',
    suits: 'Running a model at all that is a little too large.',
    helps: ['memory'],
    hurtsWhen: 'Speed matters: each step waits for the PCIe link (25–60 GB/s against 2,000 and more of the device).',
    references: ['https://arxiv.org/abs/2303.06865'],
  },
});

import { z } from 'zod';
import type { NodeType } from '../node-type';
import { param } from '../param';
import { defineNodeType, servingInput, servingOutput } from '../ports';

export const tensorParallel: NodeType = defineNodeType({
  type: 'tensor-parallel',
  family: 'serving',
  group: 'Parallelism',
  title: 'Tensor parallelism',
  summary: 'Every layer is split over devices, which exchange sums twice a layer.',
  aliases: ['TP', 'tp-size', 'model sharding', 'Megatron'],
  stage: 'serving',
  inputs: [servingInput],
  outputs: [servingOutput],
  params: z.object({
    devices: param(z.number().int().min(1).max(1024).default(2), {
      label: 'Devices',
      unit: 'devices',
      description:
        'Devices that share each layer; heads must divide by it. In the chain of a draft it holds for the draft alone.',
      kind: 'launch',
      sweep: [1, 2, 4, 8],
    }),
  }),
  apply: (p) => ({ tensorParallel: { value: p.devices, field: 'devices' } }),
  settings: ['tensorParallel'],
  label: (p) => `TP${p.devices}`,
  technique: {
    loss: 'none',
    maturity: 'production',
    suits: 'Models that do not fit on one device, and lower latency over NVLink.',
    helps: ['prefill', 'decode', 'memory'],
    hurtsWhen: 'Devices are linked by PCIe only: sums wait for the link (L40S, 70B: 8 devices are no faster than 4).',
    references: ['https://arxiv.org/abs/1909.08053'],
  },
});

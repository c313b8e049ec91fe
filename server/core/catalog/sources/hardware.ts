import { z } from 'zod';
import type { NodeType } from '../node-type';
import { param } from '../param';
import { defineNodeType } from '../ports';

export const hardware: NodeType = defineNodeType({
  type: 'hardware',
  family: 'sources',
  title: 'Hardware',
  summary: 'The device that the engine runs on.',
  stage: 'source',
  inputs: [],
  outputs: [{ id: 'hardware', label: 'Hardware', gives: 'hardware' }],
  params: z.object({
    device: param(z.string().min(1).default('cpu-local'), {
      label: 'Device',
      unit: null,
      description: "Id from the hardware table; cpu-local is the worker's own CPU.",
      kind: 'launch',
      control: 'hardware',
    }),
    count: param(z.number().int().min(1).max(1024).default(1), {
      label: 'Devices',
      unit: null,
      description: 'Devices given to one replica of the engine.',
      kind: 'launch',
      sweep: [1, 2, 4, 8],
    }),
    pricePerHourUsd: param(z.number().nonnegative().nullable().default(null), {
      label: 'Price of one device',
      unit: 'USD/h',
      description: 'Turns throughput into cost. Empty takes the lowest on-demand quote in the table, if there is one.',
      kind: 'load',
    }),
  }),
  apply: () => ({}),
  settings: [],
  technique: null,
});

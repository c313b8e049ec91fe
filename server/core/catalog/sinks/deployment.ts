import { z } from 'zod';
import { METRIC_KEYS } from '../../metrics/metric-keys';
import type { InputPort, NodeType } from '../node-type';
import { param } from '../param';
import { defineNodeType, gatewayInput, servingInput } from '../ports';

const only = (id: 'engine' | 'hardware' | 'scaling', label: string, required: boolean): InputPort => ({
  id,
  label,
  accepts: [id],
  required,
  scope: 'target',
});

export const deployment: NodeType = defineNodeType({
  type: 'deployment',
  family: 'deployment',
  title: 'Deployment',
  summary: 'One configuration to run and compare. Several edges into one of its ports are alternatives.',
  stage: 'sink',
  inputs: [
    servingInput,
    only('engine', 'Engine', true),
    only('hardware', 'Hardware', true),
    gatewayInput,
    only('scaling', 'Scaling', false),
  ],
  outputs: [],
  params: z.object({
    name: param(z.string().nullable().default(null), {
      label: 'Name',
      unit: null,
      description: "Shown in legends; empty takes the node's id.",
      kind: 'load',
      control: 'text',
    }),
    baseline: param(z.boolean().default(false), {
      label: 'Baseline',
      unit: null,
      description: 'Every other deployment is compared with this one.',
      kind: 'load',
    }),
    primaryMetrics: param(
      z
        .array(z.enum(METRIC_KEYS as [string, ...string[]]))
        .min(1)
        .max(4)
        .default(['outputTokensPerS', 'ttftMsP50', 'tpotMsP50']),
      {
        label: 'Primary metrics',
        unit: null,
        description: 'Named before the run; only these get a verdict. Read from the baseline.',
        kind: 'load',
        control: 'metrics',
      },
    ),
    blocks: param(z.number().int().min(1).max(12).default(3), {
      label: 'Blocks',
      unit: null,
      description: 'Passes over all deployments; a verdict is looked for after 3, 6 and 12. Read from the baseline.',
      kind: 'load',
    }),
    qualityBudgetKl: param(z.number().positive().nullable().default(null), {
      label: 'Quality budget',
      unit: 'nats',
      description: "Largest mean KL divergence from the baseline's next-token distribution that you accept.",
      kind: 'load',
    }),
  }),
  apply: () => ({}),
  settings: [],
  technique: null,
});

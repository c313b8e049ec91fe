import { z } from 'zod';
import type { NodeType } from '../node-type';
import { param } from '../param';
import { defineNodeType, scalingInput, scalingOutput } from '../ports';

export const replicas: NodeType = defineNodeType({
  type: 'replicas',
  family: 'scaling',
  title: 'Replicas',
  summary: 'A fixed number of engines behind one address.',
  aliases: ['copies', 'horizontal scaling', 'static scaling'],
  stage: 'serving',
  inputs: [scalingInput],
  outputs: [scalingOutput],
  params: z.object({
    count: param(z.number().int().min(1).max(10000).default(2), {
      label: 'Replicas',
      unit: 'replicas',
      description: 'Engines, each with the hardware of the deployment.',
      kind: 'launch',
      sweep: [1, 2, 4],
    }),
  }),
  apply: () => ({}),
  policy: (p) => ({ scaling: { minReplicas: p.count, maxReplicas: p.count, metric: null, target: null } }),
  settings: [],
  label: (p) => `${p.count} replicas`,
  technique: {
    loss: 'none',
    maturity: 'production',
    suits: 'Steady load, and staying up while one engine restarts.',
    helps: ['capacity'],
    hurtsWhen: 'Load changes much: it is paid for when nobody asks.',
    references: ['https://kubernetes.io/docs/concepts/workloads/controllers/deployment/'],
  },
});

import { z } from 'zod';
import type { NodeType } from '../node-type';
import { param } from '../param';
import { defineNodeType, scalingInput, scalingOutput } from '../ports';

export const autoscaling: NodeType = defineNodeType({
  type: 'autoscaling',
  family: 'scaling',
  title: 'Autoscaling',
  summary: 'Replicas come and go with the queue, the cache, the TTFT or the running requests.',
  aliases: ['HPA', 'KEDA', 'scale to load', 'elastic'],
  stage: 'serving',
  inputs: [scalingInput],
  outputs: [scalingOutput],
  params: z.object({
    min: param(z.number().int().min(1).max(10000).default(1), {
      label: 'Fewest',
      unit: 'replicas',
      description: 'Replicas that always run.',
      kind: 'launch',
      sweep: [1, 2],
    }),
    max: param(z.number().int().min(1).max(10000).default(4), {
      label: 'Most',
      unit: 'replicas',
      description: 'Replicas that may run.',
      kind: 'launch',
      sweep: [2, 4, 8],
    }),
    metric: param(z.enum(['queueLength', 'kvUsage', 'ttftMsP95', 'runningRequests']).default('queueLength'), {
      label: 'Signal',
      unit: null,
      description:
        'queueLength and runningRequests: requests a replica; kvUsage: share of the cache, 0 to 1; ttftMsP95: milliseconds.',
      kind: 'launch',
      sweep: ['queueLength', 'kvUsage', 'ttftMsP95', 'runningRequests'],
    }),
    target: param(z.number().gt(0).max(10_000_000).default(5), {
      label: 'Target',
      unit: null,
      description: 'Replicas are added above this value of the signal, in its own unit.',
      kind: 'launch',
      sweep: [2, 5, 10],
    }),
    scaleDownAfterS: param(z.number().int().min(0).max(86400).default(300), {
      label: 'Calm before scaling down',
      unit: 's',
      description: 'So long the signal must stay low.',
      kind: 'launch',
      sweep: [120, 300, 600],
    }),
    pollS: param(z.number().int().min(1).max(3600).default(15), {
      label: 'Look every',
      unit: 's',
      description: 'Time between two readings.',
      kind: 'launch',
      sweep: [5, 15, 30],
    }),
  }),
  // The autoscaler reads what the engine serves at /metrics.
  apply: () => ({ metricsEndpoint: { value: 'on', field: 'metric' } }),
  policy: (p) => ({
    scaling: {
      minReplicas: p.min,
      maxReplicas: p.max,
      metric: p.metric,
      target: p.target,
      scaleDownAfterS: p.scaleDownAfterS,
      pollS: p.pollS,
    },
  }),
  faults: (p) => [
    ...(p.min > p.max
      ? [{ field: 'max' as const, message: 'There cannot be more replicas at least than at most.' }]
      : []),
    ...(p.metric === 'kvUsage' && p.target > 1
      ? [{ field: 'target' as const, message: 'The share of the cache goes from 0 to 1.' }]
      : []),
  ],
  settings: ['metricsEndpoint'],
  label: (p) => `${p.min}–${p.max} replicas by ${p.metric}`,
  technique: {
    loss: 'none',
    maturity: 'production',
    suits: 'Load with tides, where a replica starts faster than the load rises.',
    helps: ['capacity'],
    hurtsWhen:
      'A replica takes minutes to load its weights: the peak is over before it answers. GPU use is no signal, it is high at any load.',
    references: [
      'https://keda.sh/docs/latest/concepts/scaling-deployments/',
      'https://kubernetes.io/docs/tasks/run-application/horizontal-pod-autoscale/',
    ],
  },
});

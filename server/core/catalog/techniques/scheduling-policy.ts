import { z } from 'zod';
import type { NodeType } from '../node-type';
import { param } from '../param';
import { defineNodeType, servingInput, servingOutput } from '../ports';

export const schedulingPolicy: NodeType = defineNodeType({
  type: 'scheduling-policy',
  family: 'serving',
  group: 'Batching',
  title: 'Scheduling policy',
  summary: 'Which waiting request goes next: the first, the most important, or the one with the longest cached prefix.',
  aliases: ['priority', 'first come first served', 'FCFS', 'longest prefix match', 'lpm'],
  stage: 'serving',
  inputs: [servingInput],
  outputs: [servingOutput],
  params: z.object({
    policy: param(z.enum(['first-come', 'priority', 'longest-prefix']).default('priority'), {
      label: 'Policy',
      unit: null,
      description: 'priority needs the field `priority` in each request.',
      kind: 'launch',
      sweep: ['first-come', 'priority', 'longest-prefix'],
    }),
    highFirst: param(z.boolean().nullable().default(null), {
      label: 'Larger goes first',
      unit: null,
      description:
        "Priority only: whether a larger number is served first. Empty leaves the engine's own meaning; they differ.",
      kind: 'launch',
    }),
  }),
  apply: (p) => ({
    schedulingPolicy: { value: p.policy, field: 'policy' },
    ...(p.policy === 'priority' &&
      p.highFirst !== null && { priorityHighFirst: { value: p.highFirst, field: 'highFirst' } }),
  }),
  withoutEffect: (p) => (p.policy === 'priority' ? [] : ['highFirst']),
  settings: ['schedulingPolicy', 'priorityHighFirst'],
  label: (p) => p.policy,
  technique: {
    loss: 'none',
    maturity: 'production',
    suits: 'Interactive requests beside batch work on one server (priority); shared prefixes (longest prefix).',
    helps: ['capacity'],
    hurtsWhen: 'Load stays high: what ranks last starves.',
    references: ['https://arxiv.org/abs/2312.07104', 'https://docs.vllm.ai/en/latest/configuration/optimization/'],
  },
});

import { z } from 'zod';
import type { NodeType } from '../node-type';
import { param } from '../param';
import { defineNodeType, scalingInput, scalingOutput } from '../ports';

export const requestRouting: NodeType = defineNodeType({
  type: 'request-routing',
  family: 'scaling',
  title: 'Routing',
  summary:
    'Which replica gets a request: in turn, the least loaded, the one that holds its prefix, or always the same for a session.',
  aliases: [
    'load balancing',
    'prefix-aware routing',
    'cache-aware routing',
    'KV-aware',
    'session affinity',
    'sticky sessions',
    'round robin',
    'least loaded',
  ],
  stage: 'serving',
  inputs: [scalingInput],
  outputs: [scalingOutput],
  params: z.object({
    policy: param(z.enum(['round-robin', 'least-loaded', 'prefix-aware', 'session']).default('prefix-aware'), {
      label: 'Policy',
      unit: null,
      description: 'prefix-aware: to the replica that has most of the prompt in its cache.',
      kind: 'launch',
      sweep: ['round-robin', 'least-loaded', 'prefix-aware', 'session'],
    }),
  }),
  apply: () => ({}),
  policy: (p) => ({ routing: { policy: p.policy } }),
  settings: [],
  label: (p) => `${p.policy} routing`,
  technique: {
    loss: 'none',
    maturity: 'production',
    suits: 'Several replicas: shared prefixes and chats hit the cache that already holds them.',
    helps: ['prefill', 'capacity'],
    hurtsWhen:
      'One prefix is far more frequent than the others: its replica gets hot. With one replica it does nothing.',
    references: ['https://docs.vllm.ai/projects/production-stack/en/latest/', 'https://arxiv.org/abs/2312.07104'],
  },
});

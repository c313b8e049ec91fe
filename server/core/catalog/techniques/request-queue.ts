import { z } from 'zod';
import type { NodeType } from '../node-type';
import { param } from '../param';
import { defineNodeType, gatewayInput, gatewayOutput } from '../ports';

export const requestQueue: NodeType = defineNodeType({
  type: 'request-queue',
  family: 'gateway',
  title: 'Bounded queue',
  aliases: ['queue limit', 'load shedding', 'max-queued-requests'],
  summary: 'So many requests may wait; one more is refused with 429 at once.',
  stage: 'serving',
  inputs: [gatewayInput],
  outputs: [gatewayOutput],
  params: z.object({
    limit: param(z.number().int().min(0).max(1_000_000).default(64), {
      label: 'Waiting requests',
      unit: 'requests',
      description: 'Requests that may wait for a free sequence.',
      kind: 'launch',
      sweep: [0, 8, 64],
    }),
  }),
  apply: (p) => ({ queueLimit: { value: p.limit, field: 'limit' } }),
  settings: ['queueLimit'],
  label: (p) => `queue ${p.limit}`,
  technique: {
    loss: 'none',
    maturity: 'production',
    suits: 'Overload: the requests that are taken keep their latency.',
    helps: ['capacity'],
    hurtsWhen: 'Clients do not retry: what is refused is lost.',
    references: [],
  },
});

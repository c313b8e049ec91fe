import { z } from 'zod';
import type { NodeType } from '../node-type';
import { param } from '../param';
import { defineNodeType, gatewayInput, gatewayOutput } from '../ports';

export const gatewayQueue: NodeType = defineNodeType({
  type: 'gateway-queue',
  family: 'gateway',
  title: 'Gateway queue',
  summary: 'So many requests run, so many wait for so long; the rest is refused with 429 and Retry-After.',
  aliases: ['bounded queue', 'load shedding', 'backpressure', 'admission control', 'overload'],
  stage: 'serving',
  inputs: [gatewayInput],
  outputs: [gatewayOutput],
  params: z.object({
    maxInFlight: param(z.number().int().min(1).max(1000000).default(64), {
      label: 'In flight',
      unit: 'requests',
      description: 'Requests passed on to the engine at the same time.',
      kind: 'launch',
      sweep: [16, 64, 256],
    }),
    limit: param(z.number().int().min(0).max(1000000).default(64), {
      label: 'Waiting',
      unit: 'requests',
      description: 'Requests that may wait for one of those places.',
      kind: 'launch',
      sweep: [0, 16, 64],
    }),
    timeoutS: param(z.number().gt(0).max(3600).nullable().default(10), {
      label: 'Longest wait',
      unit: 's',
      description: 'A request that waits longer is refused. Empty: no limit.',
      kind: 'launch',
      sweep: [1, 10, 30],
    }),
  }),
  apply: () => ({}),
  policy: (p) => ({ gateway: { maxInFlight: p.maxInFlight, queueLimit: p.limit, queueTimeoutS: p.timeoutS } }),
  settings: [],
  label: (p) => `${p.maxInFlight} in flight, ${p.limit} wait`,
  technique: {
    loss: 'none',
    maturity: 'production',
    suits: 'Overload: the requests that are taken keep their latency, the others know at once.',
    helps: ['capacity'],
    hurtsWhen: 'It is too tight: the engine idles while requests wait. Clients that do not retry lose them.',
    references: ['https://sre.google/sre-book/handling-overload/'],
  },
});

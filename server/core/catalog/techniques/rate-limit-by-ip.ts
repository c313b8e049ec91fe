import { z } from 'zod';
import type { NodeType } from '../node-type';
import { param } from '../param';
import { defineNodeType, gatewayInput, gatewayOutput } from '../ports';

export const rateLimitByIp: NodeType = defineNodeType({
  type: 'rate-limit-by-ip',
  family: 'gateway',
  title: 'Rate limit by IP',
  summary: 'Each address has its own rate; above it requests are refused with 429.',
  aliases: ['rate limiting', 'throttling', '429', 'token bucket', 'quota'],
  stage: 'serving',
  inputs: [gatewayInput],
  outputs: [gatewayOutput],
  params: z.object({
    requestsPerMinute: param(z.number().int().min(1).max(10_000_000).nullable().default(60), {
      label: 'Requests',
      unit: 'requests/min',
      description: 'Empty: not limited in requests.',
      kind: 'launch',
      sweep: [30, 60, 600],
    }),
    tokensPerMinute: param(z.number().int().min(1).max(1_000_000_000).nullable().default(null), {
      label: 'Tokens',
      unit: 'tokens/min',
      description: 'Prompt and output together. Empty: not limited in tokens.',
      kind: 'launch',
      sweep: [10000, 100000],
    }),
    burst: param(z.number().int().min(0).max(1000000).default(10), {
      label: 'Burst',
      unit: 'requests',
      description: 'Requests above the rate that pass at once.',
      kind: 'launch',
      sweep: [0, 10, 100],
    }),
  }),
  apply: () => ({}),
  policy: (p) => ({
    gateway: {
      rateLimits: [
        { by: 'ip', requestsPerMinute: p.requestsPerMinute, tokensPerMinute: p.tokensPerMinute, burst: p.burst },
      ],
    },
  }),
  faults: (p) =>
    p.requestsPerMinute === null && p.tokensPerMinute === null
      ? [{ field: 'requestsPerMinute', message: 'Limit requests, tokens or both; with neither the node does nothing.' }]
      : [],
  settings: [],
  label: (p) => `${p.requestsPerMinute ?? p.tokensPerMinute}/min a ip`,
  technique: {
    loss: 'none',
    maturity: 'production',
    suits: 'Public endpoints: one address cannot take all.',
    helps: ['capacity'],
    hurtsWhen: 'It is lower than what one client needs: good requests are refused with 429.',
    references: ['https://datatracker.ietf.org/doc/html/rfc6585#section-4'],
  },
});

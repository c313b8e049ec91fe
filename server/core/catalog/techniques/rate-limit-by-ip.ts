import type { NodeType } from '../node-type';
import { defineNodeType, gatewayInput, gatewayOutput } from '../ports';
import { rateLimitParts } from '../rate-limit-parts';

export const rateLimitByIp: NodeType = defineNodeType({
  type: 'rate-limit-by-ip',
  family: 'gateway',
  title: 'Rate limit by IP',
  summary: 'Each address has its own rate; above it requests are refused with 429.',
  aliases: ['rate limiting', 'throttling', '429', 'token bucket', 'quota'],
  stage: 'serving',
  inputs: [gatewayInput],
  outputs: [gatewayOutput],
  ...rateLimitParts('ip'),
  apply: () => ({}),
  settings: [],
  technique: {
    loss: 'none',
    maturity: 'production',
    suits: 'Public endpoints: one address cannot take all.',
    helps: ['capacity'],
    hurtsWhen: 'It is lower than what one client needs: good requests are refused with 429.',
    references: ['https://datatracker.ietf.org/doc/html/rfc6585#section-4'],
  },
});

import { z } from 'zod';
import type { NodeType } from '../node-type';
import { param } from '../param';
import { defineNodeType, gatewayInput, gatewayOutput } from '../ports';

export const apiKey: NodeType = defineNodeType({
  type: 'api-key',
  family: 'gateway',
  title: 'API key',
  aliases: ['auth', 'authentication', 'bearer token'],
  summary: 'Requests without the key are refused with 401.',
  stage: 'serving',
  inputs: [gatewayInput],
  outputs: [gatewayOutput],
  params: z.object({
    secret: param(
      z
        .string()
        .regex(/^INFERLOOM_SECRET_[A-Z0-9_]+$/, 'a secret name starts with INFERLOOM_SECRET_')
        .default('INFERLOOM_SECRET_API_KEY'),
      {
        label: 'Secret',
        unit: null,
        description: 'Name of the secret on the worker that holds the key, never the key itself.',
        kind: 'launch',
        control: 'secret',
      },
    ),
  }),
  apply: (p) => ({ apiKeySecret: { value: p.secret, field: 'secret' } }),
  settings: ['apiKeySecret'],
  technique: {
    loss: 'none',
    maturity: 'production',
    suits: 'Every server that others can reach.',
    helps: [],
    hurtsWhen: 'Never; it does not encrypt.',
    references: [],
  },
});

import { z } from 'zod';
import type { NodeType } from '../node-type';
import { param } from '../param';
import { defineNodeType, gatewayInput, gatewayOutput } from '../ports';

export const gatewayApiKeys: NodeType = defineNodeType({
  type: 'gateway-api-keys',
  family: 'gateway',
  title: 'Gateway API keys',
  summary: 'Requests without one of the keys are refused with 401 before they reach the engine.',
  aliases: ['auth', 'authentication', 'tenants'],
  stage: 'serving',
  inputs: [gatewayInput],
  outputs: [gatewayOutput],
  params: z.object({
    secrets: param(
      z
        .array(z.string().regex(/^INFERLOOM_SECRET_[A-Z0-9_]+$/, 'a secret name starts with INFERLOOM_SECRET_'))
        .min(1)
        .max(100)
        .default(['INFERLOOM_SECRET_API_KEY']),
      {
        label: 'Secrets',
        unit: null,
        description: 'Names of the secrets that hold the keys, one for each client; never the keys themselves.',
        kind: 'launch',
      },
    ),
  }),
  apply: () => ({}),
  policy: (p) => ({ gateway: { apiKeySecrets: p.secrets } }),
  settings: [],
  label: (p) => `${p.secrets.length} ${p.secrets.length === 1 ? 'key' : 'keys'}`,
  technique: {
    loss: 'none',
    maturity: 'production',
    suits: 'Several clients with keys and limits of their own, and engines without keys (TensorRT-LLM).',
    helps: [],
    hurtsWhen: 'Never; it does not encrypt.',
    references: ['https://datatracker.ietf.org/doc/html/rfc6750'],
  },
});

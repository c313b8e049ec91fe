import { z } from 'zod';
import type { PolicyParts } from '../plan/policies';
import { param } from './param';

const params = z.object({
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
});
type Params = z.infer<typeof params>;

/** What the limits by key and by address share: rates, burst, and that a limit without a rate is a fault. */
export const rateLimitParts = (by: 'key' | 'ip') => ({
  params,
  policy: (p: Params): PolicyParts => ({ gateway: { rateLimits: [{ by, ...p }] } }),
  faults: ({ requestsPerMinute, tokensPerMinute }: Params) =>
    requestsPerMinute === null && tokensPerMinute === null
      ? [
          {
            field: 'requestsPerMinute' as const,
            message: 'Limit requests, tokens or both; with neither the node does nothing.',
          },
        ]
      : [],
  label: (p: Params): string => `${p.requestsPerMinute ?? p.tokensPerMinute}/min ${by === 'ip' ? 'an IP' : 'a key'}`,
});

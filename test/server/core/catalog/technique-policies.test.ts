import { describe, expect, it } from 'vitest';
import { TECHNIQUES } from '@/server/core/catalog/techniques/index';
import { policiesSchema } from '@/server/core/plan/policies';
import { at } from '@/test/fixtures/technique';

const POLICIES: readonly [string, Record<string, unknown>, Record<string, unknown>][] = [
  [
    'gateway-api-keys',
    { secrets: ['INFERLOOM_SECRET_A', 'INFERLOOM_SECRET_B'] },
    { gateway: { apiKeySecrets: ['INFERLOOM_SECRET_A', 'INFERLOOM_SECRET_B'] } },
  ],
  [
    'rate-limit-by-key',
    {},
    { gateway: { rateLimits: [{ by: 'key', requestsPerMinute: 60, tokensPerMinute: null, burst: 10 }] } },
  ],
  [
    'rate-limit-by-ip',
    { tokensPerMinute: 9000 },
    { gateway: { rateLimits: [{ by: 'ip', requestsPerMinute: 60, tokensPerMinute: 9000, burst: 10 }] } },
  ],
  ['gateway-queue', {}, { gateway: { maxInFlight: 64, queueLimit: 64, queueTimeoutS: 10 } }],
  ['circuit-breaker', {}, { gateway: { breaker: { failures: 5, windowS: 30, openS: 15 } } }],
  [
    'request-limits',
    { maxOutputTokens: 512 },
    { gateway: { requestTimeoutS: 120, maxOutputTokens: 512, maxBodyBytes: 1_048_576 } },
  ],
  ['short-first', {}, { gateway: { shortFirstTokens: 512 } }],
  ['replicas', { count: 3 }, { scaling: { minReplicas: 3, maxReplicas: 3, metric: null, target: null } }],
  [
    'autoscaling',
    { metric: 'kvUsage', target: 0.8 },
    { scaling: { minReplicas: 1, maxReplicas: 4, metric: 'kvUsage', target: 0.8, scaleDownAfterS: 300, pollS: 15 } },
  ],
  ['request-routing', {}, { routing: { policy: 'prefix-aware' } }],
  [
    'disaggregation',
    { decodeDevices: 2, decodeTensorParallel: 2 },
    {
      disaggregation: {
        connector: 'nixl',
        prefill: { replicas: 1, devices: 1, tensorParallel: 1 },
        decode: { replicas: 1, devices: 2, tensorParallel: 2 },
      },
    },
  ],
];

describe('policies', () => {
  it.each(POLICIES)('%s %o', (type, params, policy) => {
    expect(at(type, params).policy).toEqual(policy);
    const schemas = policiesSchema.shape;
    for (const [section, part] of Object.entries(policy)) {
      const schema = schemas[section as keyof typeof schemas].unwrap();
      expect(schema.partial().safeParse(part).success, section).toBe(true);
    }
  });

  it('covers every type with a policy', () => {
    const withPolicy = TECHNIQUES.filter((type) => type.policy).map((type) => type.type);
    expect([...withPolicy].sort()).toEqual(POLICIES.map(([type]) => type).sort());
  });
});

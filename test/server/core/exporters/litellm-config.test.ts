import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { Policies } from '@/server/core/plan/policies';
import { exported, fileOf } from '@/test/fixtures/export-form';
import { endpointPlan, POLICIES, vllmPlan } from '@/test/fixtures/gateway-plans';
import { faultsOf } from '@/test/schemas/check-file';
import { litellmConfigSchema } from '@/test/schemas/litellm';

const text = (policies: Policies): string => fileOf(vllmPlan(policies), 'litellm-config', 'litellm.yaml');
const gatewayWith = (changes: Partial<NonNullable<Policies['gateway']>>): Policies => ({
  ...POLICIES,
  gateway: POLICIES.gateway && { ...POLICIES.gateway, ...changes },
});

describe('LiteLLM configuration', () => {
  it('is the golden file, twice the same', async () => {
    await expect(text(POLICIES)).toMatchFileSnapshot('../../../golden/exports/litellm.yaml');
    expect(text(POLICIES)).toBe(text(POLICIES));
  });

  it.each([
    ['everything set', POLICIES],
    ['no keys', gatewayWith({ apiKeySecrets: [] })],
    ['a session', { ...POLICIES, routing: { nodeIds: ['r'], policy: 'session' } } satisfies Policies],
    ['no limits', gatewayWith({ rateLimits: [], maxInFlight: null, breaker: null, maxBodyBytes: null })],
  ])('has only fields that the proxy knows: %s', (_, policies) => {
    expect(faultsOf(litellmConfigSchema, parse(text(policies)))).toEqual([]);
  });

  it('admits, queues and cools down as the policy says', () => {
    const config = parse(text(POLICIES));
    expect(config.general_settings).toEqual({
      master_key: 'os.environ/INFERLOOM_SECRET_WEB',
      max_in_flight_requests_per_worker: 8,
      max_queued_requests_per_worker: 16,
      admission_queue_timeout_seconds: 5,
      max_request_size_mb: 2,
    });
    expect(config.model_list[0].model_info.allowed_fails_policy.TimeoutErrorAllowedFails).toBe(2);
    expect(config.model_list[0].model_info.cooldown_time).toBe(15);
    expect(config.litellm_settings.default_key_generate_params).toEqual({ rpm_limit: 60, tpm_limit: 20_000 });
    expect(config.router_settings).toMatchObject({ routing_strategy: 'least-busy', num_retries: 0 });
  });

  it('says what it holds otherwise and not at all', () => {
    const { findings } = exported(vllmPlan(POLICIES), 'litellm-config');
    const about = (code: string): string[] => findings.filter((f) => f.code === code).map((f) => f.message);
    expect(about('held-otherwise').join('\n')).toMatch(/503 with Retry-After/);
    expect(about('held-otherwise').join('\n')).toMatch(/register INFERLOOM_SECRET_BATCH with POST \/key\/generate/);
    expect(about('not-in-manifest').join('\n')).toMatch(/rateLimits\[1\].*by key, not by address/);
  });

  it('asks a server that runs already under its own address and key', () => {
    const config = parse(fileOf(endpointPlan('https://gpu.example/x/v1'), 'litellm-config', 'litellm.yaml'));
    expect(faultsOf(litellmConfigSchema, config)).toEqual([]);
    expect(config.model_list[0].litellm_params).toMatchObject({
      model: 'openai/served',
      api_base: 'https://gpu.example:443/x/v1',
      api_key: 'os.environ/INFERLOOM_SECRET_UPSTREAM',
    });
  });
});

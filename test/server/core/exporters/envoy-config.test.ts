import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { tokenBucket } from '@/server/core/exporters/gateways/envoy-filters';
import { NO_POLICIES, type Policies } from '@/server/core/plan/policies';
import { exported, fileOf } from '@/test/fixtures/export-form';
import { endpointPlan, POLICIES, vllmPlan } from '@/test/fixtures/gateway-plans';
import { faultsOf } from '@/test/schemas/check-file';
import { envoyBootstrap } from '@/test/schemas/envoy';

const text = (policies: Policies): string => fileOf(vllmPlan(policies), 'envoy-config', 'envoy.yaml');
const gatewayWith = (changes: Partial<NonNullable<Policies['gateway']>>): Policies => ({
  ...POLICIES,
  gateway: POLICIES.gateway && { ...POLICIES.gateway, ...changes },
});
const clusterOf = (policies: Policies) => parse(text(policies)).static_resources.clusters[0];
const managerOf = (policies: Policies) =>
  parse(text(policies)).static_resources.listeners[0].filter_chains[0].filters[0].typed_config;

describe('Envoy configuration', () => {
  it('is the golden file, twice the same', async () => {
    await expect(text(POLICIES)).toMatchFileSnapshot('../../../golden/exports/envoy.yaml');
    expect(text(POLICIES)).toBe(text(POLICIES));
  });

  it.each([
    ['everything set', POLICIES],
    ['a session', { ...POLICIES, routing: { nodeIds: ['r'], policy: 'session' } } satisfies Policies],
    [
      'nothing but a gateway',
      gatewayWith({
        apiKeySecrets: [],
        rateLimits: [],
        maxInFlight: null,
        breaker: null,
        requestTimeoutS: null,
        maxBodyBytes: null,
      }),
    ],
  ])('has only fields of the bootstrap: %s', (_, policies) => {
    expect(faultsOf(envoyBootstrap, parse(text(policies)))).toEqual([]);
  });

  it('reaches a server that runs already over TLS, under its path', () => {
    const content = fileOf(endpointPlan('https://gpu.example/team a/v1'), 'envoy-config', 'envoy.yaml');
    expect(faultsOf(envoyBootstrap, parse(content))).toEqual([]);
    expect(content).toContain('sni: gpu.example');
    expect(content).toContain('prefix_rewrite: /team%20a/v1/');
  });

  it('queues behind the connections, answers a full queue with 429, ejects the only server', () => {
    const cluster = clusterOf(POLICIES);
    expect(cluster.circuit_breakers.thresholds).toEqual([
      { max_connections: 8, max_requests: 8, max_pending_requests: 16, max_retries: 0 },
    ]);
    expect(cluster.outlier_detection).toMatchObject({
      consecutive_5xx: 3,
      base_ejection_time: '15s',
      max_ejection_percent: 100,
    });
    expect(cluster.common_lb_config).toEqual({ healthy_panic_threshold: { value: 0 } });
    const overflow = managerOf(POLICIES).local_reply_config.mappers[0];
    expect(overflow).toMatchObject({ status_code: 429, filter: { response_flag_filter: { flags: ['UO'] } } });
    expect(overflow.headers_to_add[0].header.key).toBe('retry-after');
    expect(clusterOf(gatewayWith({ queueLimit: 0 })).circuit_breakers.thresholds[0].max_pending_requests).toBe(1);
  });

  it('lets streams pause as long as an answer may take', () => {
    const manager = managerOf(POLICIES);
    expect(manager.stream_idle_timeout).toBe('120s');
    expect(manager.route_config.virtual_hosts[0].routes[0].route).toMatchObject({
      timeout: '120s',
      idle_timeout: '120s',
    });
    expect(managerOf(gatewayWith({ requestTimeoutS: null })).stream_idle_timeout).toBe('0s');
  });

  it('names secrets, and never reads a client header as the name of a client', () => {
    const lua: string = managerOf(POLICIES).http_filters[0].typed_config.default_source_code.inline_string;
    expect(lua).toContain('os.getenv(entry.env)');
    expect(lua).toContain('headers:replace("x-llm-client", client)');
    expect(lua).toContain('os.getenv("INFERLOOM_SECRET_API_KEY")');
  });

  it('fills buckets at the rate asked for, not more often than every 50 ms', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100_000 }), fc.nat(500), (requestsPerMinute, burst) => {
        const bucket = tokenBucket({ requestsPerMinute, burst });
        const interval = Number(String(bucket.fill_interval).replace('s', ''));
        expect(interval).toBeGreaterThanOrEqual(0.05);
        expect((Number(bucket.tokens_per_fill) / interval) * 60).toBeCloseTo(requestsPerMinute, 0);
        expect(Number(bucket.max_tokens)).toBeGreaterThan(burst);
      }),
      { numRuns: 200 },
    );
  });

  it('is refused for a plan without a gateway', () => {
    expect(exported(vllmPlan(NO_POLICIES), 'envoy-config').files).toEqual([]);
  });
});

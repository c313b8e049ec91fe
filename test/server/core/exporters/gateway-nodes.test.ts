import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { Plan } from '@/server/core/plan/plan';
import { fileOf } from '@/test/fixtures/export-form';
import { node, planOf, serving } from '@/test/fixtures/pipelines';
import { faultsOf } from '@/test/schemas/check-file';
import { envoyBootstrap } from '@/test/schemas/envoy';
import { litellmConfigSchema } from '@/test/schemas/litellm';
import { findDirectives, nginxFaults, readNginx } from '@/test/schemas/nginx';

/** A graph with the nodes of the gateway, from the model to the deployment. */
const plan = (): Plan =>
  planOf(
    serving(
      [
        node('model', 'model', { model: 'Llama-3.1-8B' }),
        node('engine', 'engine', { engine: 'vllm' }),
        node('cpu', 'hardware', { device: 'H100-SXM', count: 1 }),
        node('keys', 'gateway-api-keys', { secrets: ['INFERLOOM_SECRET_ONE'] }),
        node('rate', 'rate-limit-by-key', { requestsPerMinute: 90, burst: 4 }),
        node('wait', 'gateway-queue', { maxInFlight: 6, limit: 3, timeoutS: 2 }),
        node('safe', 'circuit-breaker', { failures: 4, windowS: 20, openS: 20 }),
        node('dep', 'deployment'),
      ],
      [
        'model.weights > dep.serving',
        'keys.gateway > rate.gateway',
        'rate.gateway > wait.gateway',
        'wait.gateway > safe.gateway',
        'safe.gateway > dep.gateway',
      ],
    ),
  );

describe('nodes of the gateway family', () => {
  it('come out in NGINX', () => {
    const read = readNginx(fileOf(plan(), 'nginx-config', 'nginx.conf'));
    expect(nginxFaults(read)).toEqual([]);
    expect(findDirectives(read, 'limit_req_zone')).toEqual([['$llm_client', 'zone=llm_key_0:10m', 'rate=90r/m']]);
    expect(findDirectives(read, 'limit_req')).toEqual([['zone=llm_key_0', 'burst=4', 'nodelay']]);
    expect(findDirectives(read, 'limit_conn')).toEqual([['llm_all', '9']]);
    expect(findDirectives(read, 'server')).toContainEqual(['127.0.0.1:8000', 'max_fails=4', 'fail_timeout=20s']);
  });

  it('come out in Envoy', () => {
    const bootstrap = parse(fileOf(plan(), 'envoy-config', 'envoy.yaml'));
    expect(faultsOf(envoyBootstrap, bootstrap)).toEqual([]);
    expect(bootstrap.static_resources.clusters[0]).toMatchObject({
      circuit_breakers: { thresholds: [{ max_connections: 6, max_pending_requests: 3 }] },
      outlier_detection: { consecutive_5xx: 4, base_ejection_time: '20s' },
    });
  });

  it('come out in LiteLLM', () => {
    const config = parse(fileOf(plan(), 'litellm-config', 'litellm.yaml'));
    expect(faultsOf(litellmConfigSchema, config)).toEqual([]);
    expect(config.general_settings).toMatchObject({
      master_key: 'os.environ/INFERLOOM_SECRET_ONE',
      max_in_flight_requests_per_worker: 6,
      max_queued_requests_per_worker: 3,
      admission_queue_timeout_seconds: 2,
    });
    expect(config.litellm_settings.default_key_generate_params).toEqual({ rpm_limit: 90 });
  });
});

import { describe, expect, it } from 'vitest';
import { NO_POLICIES, type Policies } from '@/server/core/plan/policies';
import { exported, fileOf } from '@/test/fixtures/export-form';
import { endpointPlan, POLICIES, vllmPlan } from '@/test/fixtures/gateway-plans';
import { findDirectives, nginxFaults, readNginx } from '@/test/schemas/nginx';

const conf = (policies: Policies): string => fileOf(vllmPlan(policies), 'nginx-config', 'nginx.conf');
const gatewayWith = (changes: Partial<NonNullable<Policies['gateway']>>): Policies => ({
  ...POLICIES,
  gateway: POLICIES.gateway && { ...POLICIES.gateway, ...changes },
});
const bare = gatewayWith({
  apiKeySecrets: [],
  rateLimits: [],
  maxInFlight: null,
  queueLimit: null,
  breaker: null,
  requestTimeoutS: null,
  maxBodyBytes: null,
});

describe('NGINX configuration', () => {
  it('is the golden file, twice the same', async () => {
    await expect(conf(POLICIES)).toMatchFileSnapshot('../../../golden/exports/nginx.conf');
    expect(conf(POLICIES)).toBe(conf(POLICIES));
    const script = fileOf(vllmPlan(POLICIES), 'nginx-config', 'write-keys.sh');
    await expect(script).toMatchFileSnapshot('../../../golden/exports/nginx-write-keys.sh');
  });

  it.each([
    ['everything set', POLICIES],
    ['nothing but a gateway', bare],
    ['limits by key without keys', gatewayWith({ apiKeySecrets: [] })],
    ['a session', { ...POLICIES, routing: { nodeIds: ['r'], policy: 'session' } } satisfies Policies],
    ['turns', { ...POLICIES, routing: null } satisfies Policies],
  ])('has only directives that NGINX knows, in their places: %s', (_, policies) => {
    expect(nginxFaults(readNginx(conf(policies)))).toEqual([]);
  });

  it('limits by client and by address, with burst, and answers 429 with Retry-After', () => {
    const read = readNginx(conf(POLICIES));
    expect(findDirectives(read, 'limit_req_zone')).toEqual([
      ['$llm_client', 'zone=llm_key_0:10m', 'rate=60r/m'],
      ['$binary_remote_addr', 'zone=llm_ip_1:10m', 'rate=7000r/m'],
    ]);
    expect(findDirectives(read, 'limit_req')).toEqual([['zone=llm_key_0', 'burst=5', 'nodelay'], ['zone=llm_ip_1']]);
    expect(findDirectives(read, 'limit_conn')).toEqual([['llm_all', '24']]);
    expect(findDirectives(read, 'limit_req_status')).toEqual([['429']]);
    expect(findDirectives(read, 'add_header')).toContainEqual(['Retry-After', '1', 'always']);
    expect(
      findDirectives(
        readNginx(
          conf(gatewayWith({ rateLimits: [{ by: 'ip', requestsPerMinute: 4, tokensPerMinute: null, burst: 0 }] })),
        ),
        'add_header',
      ),
    ).toContainEqual(['Retry-After', '15', 'always']);
  });

  it('streams unbuffered, opens the breaker beside a backup, limits body and time', () => {
    const read = readNginx(conf(POLICIES));
    expect(findDirectives(read, 'proxy_buffering')).toEqual([['off']]);
    expect(findDirectives(read, 'client_max_body_size')).toEqual([['2000001']]);
    expect(findDirectives(read, 'proxy_read_timeout')).toEqual([['120s']]);
    expect(findDirectives(read, 'server').filter((words) => words.length > 0)).toEqual([
      ['127.0.0.1:8000', 'max_fails=3', 'fail_timeout=15s'],
      ['127.0.0.1:8089', 'backup'],
    ]);
    for (const [, body] of findDirectives(read, 'return').filter((words) => words.length === 2)) {
      expect(Object.keys(JSON.parse(body ?? '').error)).toEqual(['message', 'type', 'code']);
    }
  });

  it('holds no key, only where keys are included from', () => {
    const { files } = exported(vllmPlan(POLICIES), 'nginx-config');
    expect(findDirectives(readNginx(conf(POLICIES)), 'include')).toEqual([
      ['/etc/nginx/inferloom/keys*.map'],
      ['/etc/nginx/inferloom/server-key*.conf'],
    ]);
    expect(files.map(({ path }) => path)).toEqual(['nginx.conf', 'write-keys.sh']);
    expect(exported({ ...vllmPlan(bare), settings: {} }, 'nginx-config').files.map(({ path }) => path)).toEqual([
      'nginx.conf',
    ]);
  });

  it('reaches a server that runs already by its own address, name and path, whatever the path holds', () => {
    const plan = endpointPlan('https://gpu.example:8443/a$b;{c} "d"/v1');
    const read = readNginx(fileOf(plan, 'nginx-config', 'nginx.conf'));
    expect(nginxFaults(read)).toEqual([]);
    expect(findDirectives(read, 'proxy_ssl_name')).toEqual([['gpu.example']]);
    const [[passed = ''] = []] = findDirectives(read, 'proxy_pass');
    expect(passed).toMatch(/^https:\/\/llm\/a%24b%3B%7Bc%7D%20%22d%22\/v1\/$/);
    expect(findDirectives(read, 'server').filter((words) => words.length > 0)[0]?.[0]).toBe('gpu.example:8443');
  });

  it('is refused for a plan without a gateway', () => {
    expect(exported(vllmPlan(NO_POLICIES), 'nginx-config').findings[0]?.message).toMatch(/no gateway node/);
  });
});

import { Document } from 'yaml';
import type { Finding } from '../plan/finding';
import type { GatewayPolicy, Policies, RateLimit, RoutingPolicy } from '../plan/policies';
import { oneLine } from './comment';
import type { Exported, Exporter, ExportInput } from './exporter';
import { heldOtherwise, refuseWithoutGateway } from './gateways/gateway-policy';
import { besideServerHead, type Upstream, upstreamOf, upstreamUrl } from './gateways/upstream';
import { leftOut, policiesLeftOut, policyEntries } from './policies-left-out';
import { commentAt } from './yaml-comments';

const IMAGE = 'ghcr.io/berriai/litellm:v1.110.2';

const HELD = [
  'gateway.apiKeySecrets',
  'gateway.rateLimits',
  'gateway.maxInFlight',
  'gateway.queueLimit',
  'gateway.queueTimeoutS',
  'gateway.breaker',
  'gateway.requestTimeoutS',
  'gateway.maxBodyBytes',
  'routing.policy',
];

const ROUTING: Record<RoutingPolicy['policy'], string> = {
  'round-robin': 'simple-shuffle',
  'least-loaded': 'least-busy',
  session: 'simple-shuffle',
  'prefix-aware': 'simple-shuffle',
};

const secretRef = (name: string): string => `os.environ/${name}`;

/** The strictest of the limits by key; LiteLLM holds one of each for every key. */
const strictest = (limits: readonly RateLimit[], field: 'requestsPerMinute' | 'tokensPerMinute'): number | null => {
  const values = limits.flatMap((limit) => (limit.by === 'key' && limit[field] !== null ? [limit[field]] : []));
  return values.length === 0 ? null : Math.min(...values);
};

/** Fields without those that are null. */
const given = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));

function modelParams(gateway: GatewayPolicy, upstream: Upstream): Record<string, unknown> {
  return given({
    model: `openai/${upstream.model}`,
    api_base: `${upstreamUrl(upstream)}/v1`,
    api_key: upstream.apiKeySecret === null ? 'none' : secretRef(upstream.apiKeySecret),
    timeout: gateway.requestTimeoutS,
    stream_timeout: gateway.requestTimeoutS,
  });
}

/** Failures that open the breaker. A policy by kind is the only one that takes the last server of a model out of use. */
const FAILURES = ['Timeout', 'InternalServer', 'BadGateway', 'ServiceUnavailable'];

function modelInfo({ breaker }: GatewayPolicy): Record<string, unknown> | null {
  if (breaker === null) return null;
  const allowed = FAILURES.map((kind) => [`${kind}ErrorAllowedFails`, breaker.failures - 1]);
  return { allowed_fails_policy: Object.fromEntries(allowed), cooldown_time: breaker.openS };
}

function generalSettings(gateway: GatewayPolicy): Record<string, unknown> {
  const [master] = gateway.apiKeySecrets;
  const { maxInFlight, queueLimit, queueTimeoutS, maxBodyBytes } = gateway;
  return given({
    master_key: secretRef(master ?? OWN_MASTER_KEY),
    max_in_flight_requests_per_worker: maxInFlight,
    max_queued_requests_per_worker: maxInFlight === null ? null : (queueLimit ?? 0),
    admission_queue_timeout_seconds: maxInFlight === null ? null : queueTimeoutS,
    max_request_size_mb: maxBodyBytes === null ? null : Math.ceil(maxBodyBytes / 1024 ** 2),
  });
}

function routerSettings({ gateway, routing }: Policies): Record<string, unknown> {
  return given({
    routing_strategy: ROUTING[routing?.policy ?? 'round-robin'],
    optional_pre_call_checks: routing?.policy === 'session' ? ['session_affinity'] : null,
    num_retries: 0,
    timeout: gateway?.requestTimeoutS ?? null,
  });
}

function litellmSettings(gateway: GatewayPolicy): Record<string, unknown> {
  const limits = given({
    rpm_limit: strictest(gateway.rateLimits, 'requestsPerMinute'),
    tpm_limit: strictest(gateway.rateLimits, 'tokensPerMinute'),
  });
  return Object.keys(limits).length === 0 ? {} : { default_key_generate_params: limits };
}

/** LiteLLM does not start without a master key (litellm/proxy/auth/master_key_boot_check.py). */
const OWN_MASTER_KEY = 'LITELLM_MASTER_KEY';

const notEmpty = (fields: Record<string, unknown>) => (Object.keys(fields).length === 0 ? null : fields);

const COMMENTS: Record<string, string> = {
  'router_settings.num_retries': 'each request reaches the server once, as measured',
  'model_list.0.model_info.allowed_fails_policy': 'one more of a kind within a minute opens the breaker',
  'general_settings.max_in_flight_requests_per_worker': 'of one worker process: start litellm with --num_workers 1',
  'litellm_settings.default_key_generate_params':
    'limits of each key that POST /key/generate makes (needs DATABASE_URL)',
};

/** What LiteLLM cannot hold at all. */
function lostPolicies(policies: Policies, gateway: GatewayPolicy): Finding[] {
  const drop = (path: (p: string) => boolean, reason: string): Finding[] =>
    policyEntries(policies)
      .filter((entry) => path(entry.path))
      .map((entry) => leftOut(entry, reason));
  const isByIp = (path: string): boolean => {
    const i = /^gateway\.rateLimits\[(\d+)\]$/.exec(path)?.[1];
    return i !== undefined && gateway.rateLimits[Number(i)]?.by === 'ip';
  };
  const isQueue = (path: string): boolean => path === 'gateway.queueLimit' || path === 'gateway.queueTimeoutS';
  return [
    ...policiesLeftOut(policies, HELD, 'LiteLLM has no such setting in its file'),
    ...drop(isByIp, 'LiteLLM limits by key, not by address'),
    ...(gateway.maxInFlight === null ? drop(isQueue, 'LiteLLM queues only beside a limit of requests in flight') : []),
    ...(policies.routing?.policy === 'prefix-aware'
      ? drop((p) => p === 'routing.policy', "LiteLLM does not route by prefix for servers of one's own")
      : []),
  ];
}

/** What LiteLLM holds in a way of its own, each with the difference. */
function otherwisePolicies(gateway: GatewayPolicy): Finding[] {
  const { apiKeySecrets, breaker, maxBodyBytes, maxInFlight, rateLimits } = gateway;
  const mib = Math.ceil((maxBodyBytes ?? 0) / 1024 ** 2);
  const texts: [string, boolean, string][] = [
    [
      'gateway.apiKeySecrets',
      apiKeySecrets.length === 0,
      `no key is asked for, but LiteLLM does not start without one: set ${OWN_MASTER_KEY}`,
    ],
    [
      'gateway.apiKeySecrets',
      apiKeySecrets.length > 1,
      `the file holds the master key only; register ${apiKeySecrets.slice(1).join(', ')} with POST /key/generate`,
    ],
    [
      'gateway.rateLimits',
      rateLimits.some(({ by }) => by === 'key'),
      'they hold for keys that POST /key/generate makes, not for the master key',
    ],
    [
      'gateway.rateLimits burst',
      rateLimits.some(({ by, burst }) => by === 'key' && burst > 0),
      'LiteLLM counts whole minutes, so that a burst is part of the minute',
    ],
    [
      'gateway.breaker',
      breaker !== null,
      `LiteLLM counts failures a minute and each kind by itself; asked were ${breaker?.failures} within ${breaker?.windowS} s`,
    ],
    [
      'gateway.queueLimit',
      maxInFlight !== null,
      'LiteLLM answers 503 with Retry-After where the queue is full, not 429',
    ],
    [
      'gateway.maxBodyBytes',
      maxBodyBytes !== null && maxBodyBytes !== mib * 1024 ** 2,
      `LiteLLM counts whole MiB: ${maxBodyBytes} bytes become ${mib} MiB`,
    ],
  ];
  return texts.filter(([, holds]) => holds).map(([path, , how]) => heldOtherwise(path, gateway, how));
}

const findingsFor = (policies: Policies): Finding[] =>
  policies.gateway === null
    ? []
    : [...lostPolicies(policies, policies.gateway), ...otherwisePolicies(policies.gateway)];

function render(input: ExportInput): Exported {
  const { policies } = input.plan;
  const { gateway } = policies;
  if (gateway === null) return { files: [], findings: [] };
  const { upstream, launch } = upstreamOf(input);
  const findings = findingsFor(policies);
  const head = [
    ...besideServerHead(input, { ...launch, findings }, upstream),
    `For LiteLLM 1.110.2 (${IMAGE}): litellm --config litellm.yaml --num_workers 1`,
  ];
  const document = new Document({
    model_list: [
      given({
        model_name: upstream.model,
        litellm_params: modelParams(gateway, upstream),
        model_info: modelInfo(gateway),
      }),
    ],
    router_settings: routerSettings(policies),
    ...given({
      litellm_settings: notEmpty(litellmSettings(gateway)),
      general_settings: notEmpty(generalSettings(gateway)),
    }),
  });
  for (const [path, comment] of Object.entries(COMMENTS)) commentAt(document, path.split('.'), comment);
  document.commentBefore = head.map((line) => ` ${oneLine(line)}`).join('\n');
  return { files: [{ path: 'litellm.yaml', content: document.toString({ lineWidth: 0 }) }], findings };
}

const refusal: Exporter['refusal'] = (plan) => refuseWithoutGateway(plan, 'A LiteLLM configuration');

export const litellmConfig: Exporter = {
  id: 'litellm-config',
  group: 'gateway',
  title: 'LiteLLM proxy',
  summary: 'a model list with keys, limits, admission, retries and cooldown for the LiteLLM proxy',
  refusal,
  supports: (plan) => refusal(plan) === null,
  render,
};

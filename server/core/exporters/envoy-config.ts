import { Document } from 'yaml';
import type { Finding } from '../plan/finding';
import type { GatewayPolicy, Policies } from '../plan/policies';
import { oneLine } from './comment';
import type { Exported, Exporter, ExportInput } from './exporter';
import { cluster } from './gateways/envoy-cluster';
import { duration, httpFilters, localReplies } from './gateways/envoy-filters';
import { heldOtherwise, refuseWithoutGateway, tokensLeftOut } from './gateways/gateway-policy';
import { besideServerHead, type Upstream, upstreamOf } from './gateways/upstream';
import { leftOut, policiesLeftOut, policyEntries } from './policies-left-out';
import { commentAt } from './yaml-comments';

const LISTEN = 8088;
const IMAGE = 'envoyproxy/envoy:v1.36.2';

const HELD = [
  'gateway.apiKeySecrets',
  'gateway.rateLimits',
  'gateway.maxInFlight',
  'gateway.queueLimit',
  'gateway.breaker',
  'gateway.requestTimeoutS',
  'gateway.maxBodyBytes',
  'routing.policy',
];

function route(gateway: GatewayPolicy, isSession: boolean, upstream: Upstream): Record<string, unknown> {
  const hash = [{ header: { header_name: 'x-session-id' } }];
  return {
    cluster: 'llm',
    timeout: duration(gateway.requestTimeoutS ?? 0),
    idle_timeout: duration(gateway.requestTimeoutS ?? 0),
    ...(upstream.basePath === '' ? {} : { prefix_rewrite: `${upstream.basePath}/v1/` }),
    ...(upstream.scheme === 'https' ? { host_rewrite_literal: upstream.host } : {}),
    ...(isSession ? { hash_policy: hash } : {}),
  };
}

function connectionManager({ gateway, routing }: Policies, upstream: Upstream): Record<string, unknown> | null {
  if (gateway === null) return null;
  return {
    '@type': 'type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager',
    stat_prefix: 'llm',
    codec_type: 'AUTO',
    use_remote_address: true,
    normalize_path: true,
    stream_idle_timeout: duration(gateway.requestTimeoutS ?? 0),
    local_reply_config: localReplies(gateway),
    route_config: {
      name: 'llm',
      virtual_hosts: [
        {
          name: 'llm',
          domains: ['*'],
          routes: [
            { match: { prefix: '/v1/' }, route: route(gateway, routing?.policy === 'session', upstream) },
            { match: { path: '/health' }, route: { cluster: 'llm' } },
          ],
        },
      ],
    },
    http_filters: httpFilters(gateway, upstream.apiKeySecret),
  };
}

const MANAGER = 'static_resources.listeners.0.filter_chains.0.filters.0.typed_config';
const COMMENTS: Record<string, string> = {
  [`${MANAGER}.stream_idle_timeout`]: 'a stream of server-sent events may pause that long; 0s: for ever',
  [`${MANAGER}.route_config.virtual_hosts.0.routes.0.route.timeout`]: 'of the whole answer; 0s: none',
  'static_resources.clusters.0.circuit_breakers': 'connections are requests in flight, pending requests are the queue',
  'static_resources.clusters.0.outlier_detection': 'the breaker',
  'static_resources.clusters.0.load_assignment': 'one lb_endpoint for each replica',
};

function findingsFor(policies: Policies): Finding[] {
  const { gateway, routing } = policies;
  if (gateway === null) return [];
  const entries = policyEntries(policies);
  const drop = (path: string, reason: string): Finding[] =>
    entries.filter((entry) => entry.path === path).map((entry) => leftOut(entry, reason));
  const { breaker, maxInFlight, queueLimit } = gateway;
  return [
    ...tokensLeftOut(gateway, 'Envoy does not count the tokens of a request'),
    ...policiesLeftOut(policies, HELD, 'Envoy has no such setting without a service of its own'),
    ...(maxInFlight === null ? drop('gateway.queueLimit', 'Envoy queues where connections are limited only') : []),
    ...(maxInFlight !== null && (queueLimit ?? 0) === 0
      ? [
          heldOtherwise(
            'gateway.queueLimit',
            gateway,
            'Envoy needs one place to wait while it opens a connection: 0 becomes 1',
          ),
        ]
      : []),
    ...(breaker === null
      ? []
      : [
          heldOtherwise(
            'gateway.breaker.windowS',
            gateway,
            `Envoy counts failures in a row, not within a time; asked were ${breaker.failures} within ${breaker.windowS} s`,
          ),
        ]),
    ...(routing?.policy === 'prefix-aware'
      ? drop('routing.policy', 'Envoy does not look at prompts; it takes turns')
      : []),
  ];
}

function render(input: ExportInput): Exported {
  const { policies } = input.plan;
  if (policies.gateway === null) return { files: [], findings: [] };
  const { upstream, launch } = upstreamOf(input);
  const findings = findingsFor(policies);
  const secrets = [
    ...policies.gateway.apiKeySecrets,
    ...(upstream.apiKeySecret === null ? [] : [upstream.apiKeySecret]),
  ];
  const head = [
    ...besideServerHead(input, { ...launch, findings }, upstream),
    `For Envoy 1.34 and later; container: ${IMAGE}. Clients connect to port ${LISTEN}; put TLS before it.`,
    ...(secrets.length === 0 ? [] : [`Read from its environment: ${secrets.join(', ')}`]),
  ];
  const document = new Document(
    {
      static_resources: {
        listeners: [
          {
            name: 'llm',
            address: { socket_address: { address: '0.0.0.0', port_value: LISTEN } },
            filter_chains: [
              {
                filters: [
                  {
                    name: 'envoy.filters.network.http_connection_manager',
                    typed_config: connectionManager(policies, upstream),
                  },
                ],
              },
            ],
          },
        ],
        clusters: [cluster(policies, upstream)],
      },
    },
    { aliasDuplicateObjects: false },
  );
  for (const [path, comment] of Object.entries(COMMENTS)) commentAt(document, path.split('.'), comment);
  document.commentBefore = head.map((line) => ` ${oneLine(line)}`).join('\n');
  return { files: [{ path: 'envoy.yaml', content: document.toString({ lineWidth: 0 }) }], findings };
}

const refusal: Exporter['refusal'] = (plan) => refuseWithoutGateway(plan, 'An Envoy configuration');

export const envoyConfig: Exporter = {
  id: 'envoy-config',
  group: 'gateway',
  title: 'Envoy',
  summary: 'keys, local rate limits, a bounded queue, outlier detection and long streams in Envoy',
  refusal,
  supports: (plan) => refusal(plan) === null,
  render,
};

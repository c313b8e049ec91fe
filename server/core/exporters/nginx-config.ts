import type { Finding } from '../plan/finding';
import type { GatewayPolicy, Policies, RoutingPolicy } from '../plan/policies';
import type { Exported, Exporter, ExportInput } from './exporter';
import { errorBody, heldOtherwise, refuseWithoutGateway, tokensLeftOut } from './gateways/gateway-policy';
import { type NginxLine, nginxComment, nginxText } from './gateways/nginx-blocks';
import { KEY_FOLDER, keyScript } from './gateways/nginx-key-script';
import { admitted, errorLocations, limitLines, limitZones } from './gateways/nginx-limits';
import { besideServerHead, type Upstream, upstreamOf } from './gateways/upstream';
import { leftOut, policiesLeftOut, policyEntries } from './policies-left-out';

const LISTEN = 8088;
/** Answers while the breaker is open; reached from this machine only. */
const OPEN_BREAKER = '127.0.0.1:8089';
const IMAGE = 'nginx:1.28.0';

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

const BALANCING: Record<RoutingPolicy['policy'], string | null> = {
  'round-robin': null,
  'least-loaded': 'least_conn;',
  session: 'hash $http_x_session_id consistent;',
  'prefix-aware': null,
};

/** With a backup, failures of an only server count: NGINX ignores max_fails where there is no other. */
function upstreamBlock({ gateway, routing }: Policies, upstream: Upstream): NginxLine[] {
  const breaker = gateway?.breaker ?? null;
  const isHash = routing?.policy === 'session';
  const failing =
    breaker === null || isHash
      ? 'max_fails=0'
      : `max_fails=${breaker.failures} fail_timeout=${Math.ceil(breaker.openS)}s`;
  const balancing = BALANCING[routing?.policy ?? 'round-robin'];
  return [
    'zone llm 64k;',
    ...(balancing === null ? [] : [balancing]),
    nginxComment('one such line for each replica'),
    `server ${upstream.host}:${upstream.port} ${failing};`,
    ...(breaker === null || isHash ? [] : [`server ${OPEN_BREAKER} backup;`]),
    'keepalive 64;',
  ];
}

/** Who a client is: by the keys that are known, else by whatever it sends, and without that by its address. */
function clientMap({ apiKeySecrets, rateLimits }: GatewayPolicy): NginxLine[] {
  const block = 'map $http_authorization $llm_client';
  if (apiKeySecrets.length > 0) {
    return [
      nginxComment('Authorization header to client; nobody is known before write-keys.sh has run'),
      { block, lines: ['default "";', `include ${KEY_FOLDER}/keys*.map;`] },
    ];
  }
  if (!rateLimits.some(({ by }) => by === 'key')) return [];
  return [{ block, lines: ['default $http_authorization;', '"" $binary_remote_addr;'] }];
}

/** NGINX counts a failed POST only where it may be sent on: to another replica, or to the answer of the open breaker. */
const nextUpstream = ({ breaker }: GatewayPolicy): NginxLine[] =>
  breaker === null
    ? ['proxy_next_upstream off;']
    : [
        nginxComment(
          'a completion has no side effect, so that it may be tried elsewhere; only then is its failure counted',
        ),
        'proxy_next_upstream error timeout http_500 http_502 http_503 http_504 non_idempotent;',
        'proxy_next_upstream_tries 2;',
      ];

function proxyLines(gateway: GatewayPolicy, upstream: Upstream): NginxLine[] {
  const timeoutS = Math.ceil(gateway.requestTimeoutS ?? 3600);
  const isTls = upstream.scheme === 'https';
  return [
    `proxy_pass ${upstream.scheme}://llm${upstream.basePath === '' ? '' : `${upstream.basePath}/v1/`};`,
    ...(isTls ? ['proxy_ssl_server_name on;', `proxy_ssl_name ${upstream.host};`] : []),
    'proxy_http_version 1.1;',
    'proxy_set_header Connection "";',
    `proxy_set_header Host ${isTls ? upstream.host : '$host'};`,
    'proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;',
    ...(upstream.apiKeySecret === null
      ? gateway.apiKeySecrets.length === 0
        ? []
        : [nginxComment("the clients' keys end here"), 'proxy_set_header Authorization "";']
      : [nginxComment(`the server's own key, ${upstream.apiKeySecret}`), `include ${KEY_FOLDER}/server-key*.conf;`]),
    nginxComment('server-sent events pass token by token'),
    'proxy_buffering off;',
    'proxy_cache off;',
    'gzip off;',
    ...(gateway.requestTimeoutS === null ? [nginxComment('no limit was asked for; NGINX needs one')] : []),
    `proxy_read_timeout ${timeoutS}s;`,
    `proxy_send_timeout ${timeoutS}s;`,
    'proxy_connect_timeout 5s;',
    ...nextUpstream(gateway),
  ];
}

function servers(gateway: GatewayPolicy, routing: RoutingPolicy | null, upstream: Upstream): NginxLine[] {
  const { breaker, apiKeySecrets, maxBodyBytes } = gateway;
  const guard: NginxLine[] =
    apiKeySecrets.length === 0 ? [] : [{ block: 'if ($llm_client = "")', lines: ['return 401;'] }];
  const open = errorBody(503, 'server_unavailable', 'The model server failed too often and is left alone for a while.');
  const openServer: NginxLine = {
    block: 'server',
    lines: [
      `listen ${OPEN_BREAKER};`,
      'default_type application/json;',
      `add_header Retry-After ${Math.ceil(breaker?.openS ?? 1)} always;`,
      `return 503 '${open}';`,
    ],
  };
  return [
    ...(breaker === null || routing?.policy === 'session' ? [] : [nginxComment('the open breaker'), openServer]),
    {
      block: 'server',
      lines: [
        `listen ${LISTEN};`,
        ...(maxBodyBytes === null ? [nginxComment('no limit was asked for')] : []),
        `client_max_body_size ${maxBodyBytes ?? 0};`,
        ...errorLocations(gateway),
        { block: 'location /v1/', lines: [...guard, ...limitLines(gateway), ...proxyLines(gateway, upstream)] },
        { block: 'location = /health', lines: [`proxy_pass ${upstream.scheme}://llm;`] },
        { block: 'location /', lines: ['return 404;'] },
      ],
    },
  ];
}

function findingsFor({ gateway, ...policies }: Policies): Finding[] {
  if (gateway === null) return [];
  const { breaker, maxInFlight, queueLimit, requestTimeoutS } = gateway;
  const isHash = policies.routing?.policy === 'session';
  const entry = (kind: string) => policyEntries({ gateway, ...policies }).filter((other) => other.kind === kind);
  return [
    ...tokensLeftOut(gateway, 'NGINX does not read how many tokens a request takes'),
    ...policiesLeftOut({ gateway, ...policies }, HELD, 'NGINX has no such thing'),
    ...(maxInFlight !== null && queueLimit !== null && queueLimit > 0
      ? [
          heldOtherwise(
            'gateway.queueLimit',
            gateway,
            `NGINX has no queue (only its commercial version has): ${maxInFlight} + ${queueLimit} requests are let in at once, wait inside the engine, and one more gets 429`,
          ),
        ]
      : []),
    ...(maxInFlight === null && queueLimit !== null
      ? entry('gateway.queueLimit').map((e) =>
          leftOut(e, 'NGINX counts who waits only beside a limit of requests in flight'),
        )
      : []),
    ...(requestTimeoutS === null
      ? []
      : [
          heldOtherwise(
            'gateway.requestTimeoutS',
            gateway,
            'NGINX counts between two reads, not over the whole answer',
          ),
        ]),
    ...(breaker !== null && isHash
      ? entry('gateway.breaker').map((e) =>
          leftOut(e, 'NGINX takes no backup server beside hash, and without one an only server never fails'),
        )
      : []),
    ...(breaker !== null && !isHash && breaker.windowS !== breaker.openS
      ? [
          heldOtherwise(
            'gateway.breaker.windowS',
            gateway,
            `NGINX counts failures over the time that it then stays away, ${breaker.openS} s; asked were ${breaker.windowS} s`,
          ),
        ]
      : []),
    ...(policies.routing?.policy === 'prefix-aware'
      ? entry('routing.policy').map((e) => leftOut(e, 'NGINX does not look at prompts; it takes turns'))
      : []),
  ];
}

function render(input: ExportInput): Exported {
  const { policies } = input.plan;
  const { gateway, routing } = policies;
  if (gateway === null) return { files: [], findings: [] };
  const { upstream, launch } = upstreamOf(input);
  const findings = findingsFor(policies);
  const head = [
    ...besideServerHead(input, { ...launch, findings }, upstream),
    `Checked for NGINX 1.22 and later; container: ${IMAGE}. Clients connect to port ${LISTEN}; put TLS before it.`,
  ];
  const hasKeys = gateway.apiKeySecrets.length > 0;
  const lines: NginxLine[] = [
    ...head.map(nginxComment),
    'worker_processes auto;',
    { block: 'events', lines: [`worker_connections ${Math.max(1024, 4 * (admitted(gateway) ?? 0))};`] },
    {
      block: 'http',
      lines: [
        ...clientMap(gateway),
        ...limitZones(gateway),
        '',
        { block: 'upstream llm', lines: upstreamBlock(policies, upstream) },
        '',
        ...servers(gateway, routing, upstream),
      ],
    },
  ];
  const files = [{ path: 'nginx.conf', content: `${nginxText(lines).join('\n')}\n` }];
  if (!hasKeys && upstream.apiKeySecret === null) return { files, findings };
  const about = ['Writes the keys that nginx.conf includes. Run it as root before NGINX starts.'];
  const script = keyScript(gateway.apiKeySecrets, upstream.apiKeySecret, about);
  return { files: [...files, { path: 'write-keys.sh', content: script }], findings };
}

const refusal: Exporter['refusal'] = (plan) => refuseWithoutGateway(plan, 'An NGINX configuration');

export const nginxConfig: Exporter = {
  id: 'nginx-config',
  group: 'gateway',
  title: 'NGINX',
  summary: 'keys, rate limits, admission, breaker and unbuffered streams in open-source NGINX',
  refusal,
  supports: (plan) => refusal(plan) === null,
  render,
};

import { anyText, list, literal, number, type Schema, strict, text, whole, yesNo } from './json-schema';

/**
 * The parts of Envoy's bootstrap that files of ours use, in our own words, every message closed. Read from
 * envoyproxy/data-plane-api @84e87364; the same files were parsed into the whole of the messages (xds-protos 1.85.0).
 */
const seconds: Schema = { type: 'string', pattern: '^\\d+(\\.\\d{1,9})?s$' };
const port: Schema = { type: 'integer', minimum: 1, maximum: 65535 };
const percent: Schema = { type: 'integer', minimum: 0, maximum: 100 };
const address = strict({ 'socket_address!': strict({ 'address!': text, 'port_value!': port }) });
const header = strict({ 'header!': strict({ 'key!': text, 'value!': text }) });
const always = strict({ 'default_value!': strict({ 'numerator!': whole, 'denominator!': literal('HUNDRED') }) });
const bucket = strict({
  'max_tokens!': { type: 'integer', minimum: 1 },
  'tokens_per_fill!': { type: 'integer', minimum: 1 },
  'fill_interval!': seconds,
});

const type = (name: string): Schema => literal(`type.googleapis.com/envoy.extensions.${name}`);
const filter = (name: string, config: Schema): Schema => strict({ 'name!': literal(name), 'typed_config!': config });

const action = {
  anyOf: [
    strict({ 'remote_address!': strict({}) }),
    strict({
      'request_headers!': strict({ 'header_name!': text, 'descriptor_key!': text, skip_if_absent: yesNo }),
    }),
  ],
};

const lua = filter(
  'envoy.filters.http.lua',
  strict({
    '@type!': type('filters.http.lua.v3.Lua'),
    'default_source_code!': strict({ 'inline_string!': text }),
  }),
);
const rateLimit = filter(
  'envoy.filters.http.local_ratelimit',
  strict({
    '@type!': type('filters.http.local_ratelimit.v3.LocalRateLimit'),
    'stat_prefix!': text,
    status: strict({ 'code!': literal('TooManyRequests') }),
    'token_bucket!': bucket,
    'filter_enabled!': always,
    'filter_enforced!': always,
    rate_limits: list(strict({ 'actions!': list(action, 1) }), 1),
    descriptors: list(
      strict({ 'entries!': list(strict({ 'key!': text, value: text }), 1), 'token_bucket!': bucket }),
      1,
    ),
    max_dynamic_descriptors: { type: 'integer', minimum: 1 },
    response_headers_to_add: list(header),
  }),
);
const buffer = filter(
  'envoy.filters.http.buffer',
  strict({
    '@type!': type('filters.http.buffer.v3.Buffer'),
    'max_request_bytes!': { type: 'integer', minimum: 1 },
  }),
);
const router = filter('envoy.filters.http.router', strict({ '@type!': type('filters.http.router.v3.Router') }));

const errorFormat = strict({
  'json_format!': strict({ 'error!': strict({ 'message!': text, 'type!': text, 'code!': whole }) }),
});
/** Response flags: envoy/config/accesslog/v3/accesslog.proto, ResponseFlagFilter. */
const mapper = strict({
  'filter!': strict({
    'response_flag_filter!': strict({ 'flags!': list(literal('UO', 'RL', 'UT', 'UH', 'UF', 'URX'), 1) }),
  }),
  status_code: { type: 'integer', minimum: 200, maximum: 599 },
  headers_to_add: list(header),
  body_format_override: errorFormat,
});

const route = strict({
  'cluster!': text,
  timeout: seconds,
  idle_timeout: seconds,
  prefix_rewrite: text,
  host_rewrite_literal: text,
  hash_policy: list(strict({ 'header!': strict({ 'header_name!': text }) })),
});
const routes = list(
  strict({ 'match!': { anyOf: [strict({ 'prefix!': text }), strict({ 'path!': text })] }, 'route!': route }),
  1,
);
const manager = strict({
  '@type!': type('filters.network.http_connection_manager.v3.HttpConnectionManager'),
  'stat_prefix!': text,
  codec_type: literal('AUTO', 'HTTP1', 'HTTP2'),
  use_remote_address: yesNo,
  normalize_path: yesNo,
  stream_idle_timeout: seconds,
  local_reply_config: strict({ 'mappers!': list(mapper, 1) }),
  'route_config!': strict({
    name: anyText,
    'virtual_hosts!': list(strict({ 'name!': text, 'domains!': list(text, 1), 'routes!': routes }), 1),
  }),
  'http_filters!': list({ anyOf: [lua, rateLimit, buffer, router] }, 1),
});
const listener = strict({
  name: text,
  'address!': address,
  'filter_chains!': list(
    strict({ 'filters!': list(filter('envoy.filters.network.http_connection_manager', manager), 1) }),
    1,
  ),
});

const tls = strict({
  'name!': literal('envoy.transport_sockets.tls'),
  'typed_config!': strict({
    '@type!': type('transport_sockets.tls.v3.UpstreamTlsContext'),
    'sni!': text,
    'common_tls_context!': strict({
      'validation_context!': strict({ 'trusted_ca!': strict({ 'filename!': text }) }),
    }),
  }),
});
const clusterSchema = strict({
  'name!': text,
  'type!': literal('STRICT_DNS'),
  connect_timeout: seconds,
  lb_policy: literal('ROUND_ROBIN', 'LEAST_REQUEST', 'RING_HASH'),
  common_lb_config: strict({ 'healthy_panic_threshold!': strict({ 'value!': number }) }),
  'load_assignment!': strict({
    'cluster_name!': text,
    'endpoints!': list(
      strict({ 'lb_endpoints!': list(strict({ 'endpoint!': strict({ 'address!': address }) }), 1) }),
      1,
    ),
  }),
  circuit_breakers: strict({
    'thresholds!': list(
      strict({ max_connections: whole, max_requests: whole, max_pending_requests: whole, max_retries: whole }),
      1,
    ),
  }),
  outlier_detection: strict({
    consecutive_5xx: whole,
    enforcing_consecutive_5xx: percent,
    interval: seconds,
    base_ejection_time: seconds,
    max_ejection_time: seconds,
    max_ejection_percent: percent,
    enforcing_success_rate: percent,
    enforcing_failure_percentage: percent,
  }),
  transport_socket: tls,
});

export const envoyBootstrap: Schema = strict({
  'static_resources!': strict({ 'listeners!': list(listener, 1), 'clusters!': list(clusterSchema, 1) }),
});

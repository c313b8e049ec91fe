import type { GatewayPolicy, RateLimit } from '../../plan/policies';
import { CLIENT_HEADER, keyFilter } from './envoy-key-filter';
import { errorBody, retryAfterS } from './gateway-policy';

type Json = Record<string, unknown>;

const TYPES = 'type.googleapis.com/envoy.extensions';

/** Seconds as protobuf writes a duration. */
export const duration = (seconds: number): string => `${Number(seconds.toFixed(9))}s`;

/** Envoy refuses buckets that are filled more often than every 50 ms; then several tokens come at once. */
export function tokenBucket({ requestsPerMinute, burst }: { requestsPerMinute: number; burst: number }): Json {
  const perFill = Math.max(1, Math.ceil(requestsPerMinute * (0.05 / 60)));
  return {
    max_tokens: Math.max(perFill, burst + 1),
    tokens_per_fill: perFill,
    fill_interval: duration((60 * perFill) / requestsPerMinute),
  };
}

const LIMIT_KEYS = { ip: 'remote_address', key: 'client' } as const;

/** A limit as two halves: what is counted (action) and how much of each value is let through (descriptor). */
function rateLimitParts(limit: RateLimit): { action: Json; descriptor: Json } | null {
  if (limit.requestsPerMinute === null) return null;
  const { by, requestsPerMinute, burst } = limit;
  const action =
    by === 'ip'
      ? { remote_address: {} }
      : { request_headers: { header_name: CLIENT_HEADER, descriptor_key: LIMIT_KEYS.key, skip_if_absent: true } };
  const bucket = tokenBucket({ requestsPerMinute, burst });
  return { action: { actions: [action] }, descriptor: { entries: [{ key: LIMIT_KEYS[by] }], token_bucket: bucket } };
}

function localRateLimit(gateway: GatewayPolicy): Json | null {
  const parts = gateway.rateLimits.flatMap((limit) => rateLimitParts(limit) ?? []);
  if (parts.length === 0) return null;
  const always = { default_value: { numerator: 100, denominator: 'HUNDRED' } };
  return {
    '@type': `${TYPES}.filters.http.local_ratelimit.v3.LocalRateLimit`,
    stat_prefix: 'llm_rate_limit',
    status: { code: 'TooManyRequests' },
    filter_enabled: always,
    filter_enforced: always,
    // The bucket of everybody together limits nobody: it is filled faster than anyone asks.
    token_bucket: { max_tokens: 1_000_000_000, tokens_per_fill: 1_000_000_000, fill_interval: '1s' },
    rate_limits: parts.map(({ action }) => action),
    descriptors: parts.map(({ descriptor }) => descriptor),
    max_dynamic_descriptors: 10_000,
    response_headers_to_add: [{ header: { key: 'retry-after', value: String(retryAfterS(gateway)) } }],
  };
}

/** Filters in the order in which a request meets them; the router is the last. */
export function httpFilters(gateway: GatewayPolicy, serverSecret: string | null): Json[] {
  const limit = localRateLimit(gateway);
  const needsKeys = gateway.apiKeySecrets.length > 0 || serverSecret !== null || limit !== null;
  const unauthorized = errorBody(401, 'invalid_api_key', 'The API key is missing or unknown.');
  const lua = {
    '@type': `${TYPES}.filters.http.lua.v3.Lua`,
    default_source_code: { inline_string: keyFilter(gateway.apiKeySecrets, serverSecret, unauthorized) },
  };
  const buffer = {
    '@type': `${TYPES}.filters.http.buffer.v3.Buffer`,
    max_request_bytes: gateway.maxBodyBytes,
  };
  return [
    ...(needsKeys ? [{ name: 'envoy.filters.http.lua', typed_config: lua }] : []),
    ...(limit === null ? [] : [{ name: 'envoy.filters.http.local_ratelimit', typed_config: limit }]),
    ...(gateway.maxBodyBytes === null ? [] : [{ name: 'envoy.filters.http.buffer', typed_config: buffer }]),
    {
      name: 'envoy.filters.http.router',
      typed_config: { '@type': `${TYPES}.filters.http.router.v3.Router` },
    },
  ];
}

/** A full queue becomes 429 with Retry-After, an open breaker keeps 503; both in the one error format. */
export function localReplies(gateway: GatewayPolicy): Json {
  const retry = (seconds: number) => [{ header: { key: 'retry-after', value: String(Math.ceil(seconds)) } }];
  const body = (code: number, type: string, message: string): Json => ({
    json_format: JSON.parse(errorBody(code, type, message)),
  });
  const flags = (...list: string[]): Json => ({ response_flag_filter: { flags: list } });
  return {
    mappers: [
      {
        filter: flags('UO'),
        status_code: 429,
        headers_to_add: retry(retryAfterS(gateway)),
        body_format_override: body(429, 'rate_limit_exceeded', 'The queue is full: try again later.'),
      },
      {
        filter: flags('RL'),
        body_format_override: body(429, 'rate_limit_exceeded', 'Too many requests: try again later.'),
      },
      {
        filter: flags('UT'),
        body_format_override: body(504, 'timeout', 'The answer took too long.'),
      },
      {
        filter: flags('UH', 'UF', 'URX'),
        status_code: 503,
        headers_to_add: retry(gateway.breaker?.openS ?? 1),
        body_format_override: body(503, 'server_unavailable', 'The model server does not answer.'),
      },
    ],
  };
}

import type { GatewayPolicy } from '../../plan/policies';
import { errorBody, retryAfterS } from './gateway-policy';
import { type NginxLine, nginxComment } from './nginx-blocks';

/** Connections that the gateway lets in at once: those in flight and those that wait. Null: no limit. */
export const admitted = ({ maxInFlight, queueLimit }: GatewayPolicy): number | null =>
  maxInFlight === null ? null : maxInFlight + (queueLimit ?? 0);

const zoneOf = (by: 'key' | 'ip', i: number): string => `llm_${by}_${i}`;

/** Zones at the level of `http`: one for each rate limit, one for all connections together. */
export function limitZones(gateway: GatewayPolicy): NginxLine[] {
  const rates = gateway.rateLimits.flatMap(({ by, requestsPerMinute }, i) =>
    requestsPerMinute === null
      ? []
      : [
          `limit_req_zone ${by === 'key' ? '$llm_client' : '$binary_remote_addr'} zone=${zoneOf(by, i)}:10m rate=${requestsPerMinute}r/m;`,
        ],
  );
  const all = admitted(gateway) === null ? [] : ['limit_conn_zone $server_port zone=llm_all:1m;'];
  const statuses = rates.length + all.length === 0 ? [] : ['limit_req_status 429;', 'limit_conn_status 429;'];
  return [...rates, ...all, ...statuses];
}

/** What one location enforces. A burst passes at once (nodelay) and is paid back at the rate. */
export function limitLines(gateway: GatewayPolicy): NginxLine[] {
  const rates = gateway.rateLimits.flatMap(({ by, requestsPerMinute, burst }, i) =>
    requestsPerMinute === null
      ? []
      : [`limit_req zone=${zoneOf(by, i)}${burst === 0 ? '' : ` burst=${burst} nodelay`};`],
  );
  const most = admitted(gateway);
  const comment = `${gateway.maxInFlight} in flight + ${gateway.queueLimit ?? 0} waiting`;
  return [...rates, ...(most === null ? [] : [nginxComment(comment), `limit_conn llm_all ${most};`])];
}

const named = (name: string, code: number, headers: readonly string[], type: string, message: string): NginxLine => ({
  block: `location ${name}`,
  lines: ['default_type application/json;', ...headers, `return ${code} '${errorBody(code, type, message)}';`],
});

/** Answers that NGINX gives itself, in one format. */
export function errorLocations(gateway: GatewayPolicy): NginxLine[] {
  return [
    'error_page 401 = @unauthorized;',
    'error_page 413 = @too_large;',
    'error_page 429 = @too_many;',
    'error_page 502 504 = @unreachable;',
    named(
      '@unauthorized',
      401,
      ['add_header WWW-Authenticate Bearer always;'],
      'invalid_api_key',
      'The API key is missing or unknown.',
    ),
    named('@too_large', 413, [], 'request_too_large', 'The request body is too large.'),
    named(
      '@too_many',
      429,
      [`add_header Retry-After ${retryAfterS(gateway)} always;`],
      'rate_limit_exceeded',
      'Too many requests: try again later.',
    ),
    named(
      '@unreachable',
      503,
      [`add_header Retry-After ${Math.ceil(gateway.breaker?.openS ?? 1)} always;`],
      'server_unavailable',
      'The model server does not answer.',
    ),
  ];
}

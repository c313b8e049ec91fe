import type { GatewayPolicy, Policies, RoutingPolicy } from '../../plan/policies';
import { duration } from './envoy-filters';
import type { Upstream } from './upstream';

type Json = Record<string, unknown>;

const BALANCING: Record<RoutingPolicy['policy'], string> = {
  'round-robin': 'ROUND_ROBIN',
  'least-loaded': 'LEAST_REQUEST',
  session: 'RING_HASH',
  'prefix-aware': 'ROUND_ROBIN',
};

/**
 * One connection carries one request (HTTP/1.1), so that the most connections are the most requests in flight, and the
 * requests that wait for a connection are the queue. Without a pending slot no connection is ever opened: at least 1.
 */
function thresholds({ maxInFlight, queueLimit }: GatewayPolicy): Json {
  const unlimited = 1_000_000;
  return {
    max_connections: maxInFlight ?? unlimited,
    max_requests: maxInFlight ?? unlimited,
    max_pending_requests: maxInFlight === null ? unlimited : Math.max(1, queueLimit ?? 0),
    max_retries: 0,
  };
}

/** The breaker: failures in a row send the server away for a while; ejecting the only one is allowed. */
function outlierDetection({ breaker }: GatewayPolicy): Json | null {
  if (breaker === null) return null;
  return {
    consecutive_5xx: breaker.failures,
    enforcing_consecutive_5xx: 100,
    interval: duration(Math.min(1, breaker.windowS)),
    base_ejection_time: duration(breaker.openS),
    max_ejection_time: duration(breaker.openS),
    max_ejection_percent: 100,
    enforcing_success_rate: 0,
    enforcing_failure_percentage: 0,
  };
}

/** The servers behind the gateway. With panic off, no server left means 503, not a try at random. */
export function cluster({ gateway, routing }: Policies, upstream: Upstream): Json | null {
  if (gateway === null) return null;
  const outlier = outlierDetection(gateway);
  const address = { socket_address: { address: upstream.host, port_value: upstream.port } };
  const tls = {
    name: 'envoy.transport_sockets.tls',
    typed_config: {
      '@type': 'type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext',
      sni: upstream.host,
      common_tls_context: {
        validation_context: { trusted_ca: { filename: '/etc/ssl/certs/ca-certificates.crt' } },
      },
    },
  };
  return {
    name: 'llm',
    type: 'STRICT_DNS',
    connect_timeout: '5s',
    lb_policy: BALANCING[routing?.policy ?? 'round-robin'],
    common_lb_config: { healthy_panic_threshold: { value: 0 } },
    load_assignment: {
      cluster_name: 'llm',
      endpoints: [{ lb_endpoints: [{ endpoint: { address } }] }],
    },
    circuit_breakers: { thresholds: [thresholds(gateway)] },
    ...(outlier === null ? {} : { outlier_detection: outlier }),
    ...(upstream.scheme === 'https' ? { transport_socket: tls } : {}),
  };
}

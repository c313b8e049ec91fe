import { isIP } from 'node:net';
import type { Env } from '../env';
import { admit, type Refusal } from '../start/admit';

/** Set by our own http server on every request, in place of whatever the client sent. */
export const CLIENT_IP_HEADER = 'x-inferloom-client-ip';

export const addressOf = (request: Request): string => request.headers.get(CLIENT_IP_HEADER) ?? 'unknown';

/** The same rules as at the door (server/start/admit), for a route that may be served without it. */
export function admitRequest(request: Request, env: Pick<Env, 'APP_URL'>): Refusal | null {
  const url = new URL(request.url);
  const headers = Object.fromEntries(request.headers);
  return admit({ headers, method: request.method, url: url.pathname + url.search }, env);
}

/**
 * Address of the client: the socket's, unless the socket is a proxy that TRUST_PROXY names. Then the last address in
 * X-Forwarded-For that no trusted proxy has; whatever a client writes in front of it is not believed.
 */
export function clientIp(
  socketAddress: string | undefined,
  forwardedFor: string | undefined,
  trustProxy: string | undefined,
): string {
  const trusted = new Set(
    (trustProxy ?? '')
      .split(',')
      .map((entry) => entry.trim())
      .filter(Boolean),
  );
  let address = plainIp(socketAddress ?? '');
  const hops = (forwardedFor ?? '').split(',').map((hop) => plainIp(hop.trim()));
  while (trusted.has(address)) {
    const hop = hops.pop();
    if (hop === undefined || isIP(hop) === 0) break;
    address = hop;
  }
  return address === '' ? 'unknown' : address;
}

/** IPv4 in its IPv6 clothes is the same address. */
const plainIp = (address: string): string => address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/, '');

/** A refusal as a response. */
export function refuse(refusal: Refusal, headers: HeadersInit = {}): Response {
  const { status, code, message } = refusal;
  return Response.json({ error: { code, message } }, { status, headers });
}

export const tooMany = (seconds: number): Response =>
  refuse(
    { status: 429, code: 'too-many-requests', message: `Too many tries. Wait ${seconds} s.` },
    { 'retry-after': String(seconds) },
  );

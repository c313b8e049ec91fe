import type { IncomingMessage } from 'node:http';
import type { Env } from '../env';

export interface Refusal {
  status: number;
  code: string;
  message: string;
}

const MB = 1024 * 1024;
/** Bytes that a body may have, by path; the first match counts. */
const BODY_LIMITS: readonly [RegExp, number][] = [
  [/^\/api\/worker\//, 2 * MB],
  [/^\/api\/trpc\//, 6 * MB],
  [/./, MB],
];

type Address = Pick<Env, 'APP_URL'> & Partial<Pick<Env, 'HOST'>>;

/**
 * Host names that this server answers to: APP_URL's, the one address that it listens on, and loopback. Without the
 * port, which a proxy may change.
 */
function allowedHosts(env: Address): Set<string> {
  const hosts = new Set(['localhost', '127.0.0.1', '[::1]']);
  if (env.APP_URL) hosts.add(new URL(env.APP_URL).hostname);
  if (env.HOST && !['0.0.0.0', '::'].includes(env.HOST))
    hosts.add((env.HOST.includes(':') ? `[${env.HOST}]` : env.HOST).toLowerCase());
  return hosts;
}

const withoutPort = (host: string): string => host.replace(/:\d+$/, '').toLowerCase();

/**
 * Origins that may send cookie-authenticated changes: the public address, and the host and port that the request itself
 * was sent to. Another port of one machine is another site, though the browser sends it the same cookies.
 */
function trustedOrigin(origin: string, host: string, env: Address): boolean {
  if (!URL.canParse(origin)) return false;
  if (env.APP_URL && origin === new URL(env.APP_URL).origin) return true;
  return new URL(origin).host === host.toLowerCase();
}

const refusal = (status: number, code: string, message: string): Refusal => ({ status, code, message });

/**
 * Decides whether a request may enter at all: Host allow-list (421), body size (411, 413), and for changes that rely
 * on a cookie a trusted Origin (403) with a JSON body (415). tRPC would run an empty-input mutation from a cross-site
 * multipart POST otherwise. Returns null to let it pass.
 */
export function admit(request: Pick<IncomingMessage, 'headers' | 'method' | 'url'>, env: Address): Refusal | null {
  const { headers, method = 'GET', url = '/' } = request;
  if (!headers.host || !allowedHosts(env).has(withoutPort(headers.host)))
    return refusal(
      421,
      'misdirected-request',
      'This server does not answer to that Host. Set APP_URL to its public address.',
    );
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return null;
  if (headers['transfer-encoding'] && !headers['content-length'])
    return refusal(411, 'length-required', 'Send a Content-Length; chunked bodies are not taken.');
  const limit = BODY_LIMITS.find(([path]) => path.test(url))?.[1] ?? MB;
  if (Number(headers['content-length'] ?? 0) > limit)
    return refusal(413, 'payload-too-large', `The body is larger than ${limit} bytes.`);
  if (headers.authorization?.startsWith('Bearer ')) return null;
  return judgeOrigin(headers, env);
}

function judgeOrigin(headers: IncomingMessage['headers'], env: Address): Refusal | null {
  if (!headers.origin || !trustedOrigin(headers.origin, headers.host ?? '', env))
    return refusal(403, 'foreign-origin', 'A change must come from this site (Origin header).');
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  const hasBody = Number(headers['content-length'] ?? 0) > 0;
  if (hasBody ? type !== 'application/json' : type !== undefined && type !== 'application/json')
    return refusal(415, 'unsupported-media-type', 'Send application/json.');
  return null;
}

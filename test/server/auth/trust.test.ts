import { describe, expect, it } from 'vitest';
import { admitRequest, clientIp } from '@/server/auth/trust';

const request = (url: string, init: RequestInit & { host?: string } = {}): Request => {
  const headers = new Headers(init.headers);
  headers.set('host', init.host ?? new URL(url).host);
  return new Request(url, { ...init, headers });
};
const post = (headers: Record<string, string>, host = 'localhost:3000') =>
  admitRequest(
    request('http://localhost:3000/api/trpc/session.signOut', {
      method: 'POST',
      headers: { 'content-length': '2', ...headers },
      host,
    }),
    {},
  )?.status ?? null;

describe('admitRequest', () => {
  it('refuses a foreign Host with 421, on reads too', () => {
    expect(admitRequest(request('http://evil.example/'), {})?.status).toBe(421);
    expect(admitRequest(request('http://127.0.0.1:3000/'), {})).toBeNull();
    expect(admitRequest(request('https://loom.example.com/'), { APP_URL: 'https://loom.example.com' })).toBeNull();
  });

  it('lets a change in from this site as JSON only', () => {
    const json = 'application/json';
    expect(post({ origin: 'http://localhost:3000', 'content-type': json })).toBeNull();
    expect(post({ origin: 'https://evil.example', 'content-type': json })).toBe(403);
    expect(post({ 'content-type': json })).toBe(403);
    expect(post({ origin: 'null', 'content-type': json })).toBe(403);
    expect(post({ origin: 'http://localhost:3000', 'content-type': 'text/plain' })).toBe(415);
    expect(post({ origin: 'http://localhost:3000', 'content-type': 'multipart/form-data; boundary=x' })).toBe(415);
  });

  it('asks a bearer for no Origin, since it never reads cookies', () => {
    expect(post({ authorization: 'Bearer inf_k_x', 'content-type': 'application/json' })).toBeNull();
  });
});

describe('clientIp', () => {
  it("is the socket's, whatever a client writes", () => {
    expect(clientIp('203.0.113.7', '10.0.0.1', undefined)).toBe('203.0.113.7');
    expect(clientIp('::ffff:203.0.113.7', undefined, undefined)).toBe('203.0.113.7');
    expect(clientIp(undefined, '10.0.0.1', undefined)).toBe('unknown');
  });

  it('is the last hop that no trusted proxy has', () => {
    expect(clientIp('10.0.0.1', '6.6.6.6, 198.51.100.9', '10.0.0.1')).toBe('198.51.100.9');
    expect(clientIp('10.0.0.1', '6.6.6.6, 198.51.100.9, 10.0.0.2', '10.0.0.1,10.0.0.2')).toBe('198.51.100.9');
    expect(clientIp('10.0.0.1', 'not an address', '10.0.0.1')).toBe('10.0.0.1');
    expect(clientIp('10.0.0.9', '198.51.100.9', '10.0.0.1')).toBe('10.0.0.9');
  });
});

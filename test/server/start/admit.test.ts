import { describe, expect, it } from 'vitest';
import { admit } from '@/server/start/admit';

const env = { APP_URL: 'https://loom.example.com' };
const ask = (method: string, headers: Record<string, string>, url = '/api/trpc/pipelines.save') =>
  admit({ method, url, headers: { host: 'localhost:3000', ...headers } }, env)?.status ?? null;
const own = { origin: 'http://localhost:3000' };

describe('admit', () => {
  it.each([
    ['localhost:3000', null],
    ['127.0.0.1:8080', null],
    ['[::1]:3000', null],
    ['loom.example.com', null],
    ['evil.example.com', 421],
    ['localhost.evil.example.com', 421],
    ['', 421],
  ])('host %s → %s', (host, status) => {
    expect(ask('GET', { host })).toBe(status);
  });

  it('answers to the one address that it listens on', () => {
    const request = { method: 'GET', url: '/', headers: { host: '192.0.2.7:3000' } };
    expect(admit(request, { ...env, HOST: '192.0.2.7' })).toBeNull();
    expect(admit(request, { ...env, HOST: '0.0.0.0' })?.status).toBe(421);
  });

  it.each([
    ['a change from this site', { ...own, 'content-type': 'application/json', 'content-length': '2' }, null],
    ['without Origin', { 'content-type': 'application/json', 'content-length': '2' }, 403],
    ['from another site', { origin: 'https://evil.example.com', 'content-type': 'application/json' }, 403],
    ['from another port of this machine', { origin: 'http://localhost:4000', 'content-type': 'application/json' }, 403],
    ['from the public address', { origin: 'https://loom.example.com', 'content-type': 'application/json' }, null],
    ['from another port there', { origin: 'https://loom.example.com:8443', 'content-type': 'application/json' }, 403],
    ['with an opaque Origin', { origin: 'null', 'content-type': 'application/json' }, 403],
    [
      'cross-site multipart',
      { origin: 'https://evil.example.com', 'content-type': 'multipart/form-data; boundary=x' },
      403,
    ],
    [
      'multipart from this site',
      { ...own, 'content-type': 'multipart/form-data; boundary=x', 'content-length': '9' },
      415,
    ],
    ['text from this site', { ...own, 'content-type': 'text/plain', 'content-length': '2' }, 415],
    ['a body without a type', { ...own, 'content-length': '2' }, 415],
    ['no body at all', { ...own }, null],
    ['chunked', { ...own, 'transfer-encoding': 'chunked', 'content-type': 'application/json' }, 411],
    ['too large', { ...own, 'content-type': 'application/json', 'content-length': String(7 * 1024 * 1024) }, 413],
    [
      'a bearer token without Origin',
      { authorization: 'Bearer x', 'content-type': 'application/json', 'content-length': '2' },
      null,
    ],
  ] as const)('POST %s', (_, headers, status) => {
    expect(ask('POST', headers as Record<string, string>)).toBe(status);
  });
});

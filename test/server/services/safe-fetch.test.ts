import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { refusedAddress } from '@/server/services/public-address';
import { safeFetch } from '@/server/services/safe-fetch';

const servers: Server[] = [];
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

const own = { maxBytes: 1000, allowPrivate: true } as const;

describe('addresses', () => {
  it.each([
    '127.0.0.1',
    '10.1.2.3',
    '172.31.0.1',
    '192.168.1.1',
    '100.64.0.1',
    '0.0.0.0',
    '169.254.169.254',
    '224.0.0.1',
    '::1',
    '::',
    'fe80::1',
    'fc00::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:10.0.0.1',
    '::ffff:a9fe:a9fe',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
  ])('%s is not fetched', (address) => {
    expect(refusedAddress(address, false)).not.toBeNull();
  });

  it.each(['93.184.216.34', '2606:2800:220:1:248:1893:25c8:1946', '::ffff:93.184.216.34'])('%s is', (address) => {
    expect(refusedAddress(address, false)).toBeNull();
  });

  it('keeps the metadata of clouds out whatever is allowed', () => {
    expect(refusedAddress('169.254.169.254', true)).toMatch(/link-local/);
    expect(refusedAddress('::ffff:169.254.169.254', true)).toMatch(/link-local/);
    expect(refusedAddress('192.168.1.1', true)).toBeNull();
  });
});

describe('safeFetch', () => {
  it('reads an answer', async () => {
    const url = await serve((_, response) => response.end('hello'));
    const { status, body } = await safeFetch(url, own);
    expect([status, new TextDecoder().decode(body)]).toEqual([200, 'hello']);
  });

  it.each([
    'file:///etc/passwd',
    'ftp://example.org/',
    'http://user:secret@example.org/',
    'no url',
    'http://[::ffff:127.0.0.1]/',
  ])('refuses %s', async (url) => {
    await expect(safeFetch(url, { maxBytes: 10 })).rejects.toThrow(/is not fetched|no URL|is not public/);
  });

  it('refuses a name that resolves to this host', async () => {
    const url = await serve((_, response) => response.end('secret'));
    const named = url.replace('127.0.0.1', 'localhost');
    await expect(safeFetch(named, { maxBytes: 10 })).rejects.toThrow(/localhost resolves to .*not public/);
  });

  it('judges every redirect', async () => {
    const url = await serve((_, response) =>
      response.writeHead(302, { location: 'http://169.254.169.254/latest/' }).end(),
    );
    await expect(safeFetch(url, own)).rejects.toThrow(/169\.254\.169\.254 is link-local/);
    const turning = await serve((_, response) => response.writeHead(302, { location: '/again' }).end());
    await expect(safeFetch(turning, own)).rejects.toThrow(/redirects more than 5 times/);
  });

  it('bounds bytes and seconds', async () => {
    const long = await serve((_, response) => response.end('x'.repeat(5000)));
    await expect(safeFetch(long, own)).rejects.toThrow(/longer than 1000 bytes/);
    expect((await safeFetch(long, { ...own, onExcess: 'cut' })).body.byteLength).toBe(1000);
    const silent = await serve(() => undefined);
    await expect(safeFetch(silent, { ...own, timeoutMs: 100 })).rejects.toThrow(/no answer within 100 ms/);
  });
});

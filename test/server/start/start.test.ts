import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { addressesOf, checkDatabaseUrl, checkHost, checkPort, readAddress } from '@/server/start/checks.mjs';
import { copyCluster } from '@/server/start/cluster.mjs';
import { holder, takeLock } from '@/server/start/lock.mjs';
import { unlessStamped } from '@/server/start/stamps.mjs';

const folder = mkdtempSync(join(tmpdir(), 'inferloom start '));
afterEach(() => rmSync(join(folder, 'lock'), { force: true }));

describe('checks before a start', () => {
  it.each([
    ['18.20.0', 'linux', 'x64', /Node 18.20.0 is too old/],
    ['20.18.3', 'linux', 'x64', /20.19 or later/],
    ['22.1.0', 'win32', 'x64', /WSL2/],
    ['22.1.0', 'linux', 'riscv64', /not supported/],
  ])('refuses Node %s on %s %s', (version, platform, arch, sentence) => {
    expect(() =>
      checkHost({ version, platform: platform as NodeJS.Platform, arch: arch as NodeJS.Architecture }),
    ).toThrow(sentence);
  });

  it.each(['20.19.0', '22.0.0', '24.21.0'])('takes Node %s', (version) => {
    expect(() => checkHost({ version, platform: 'linux', arch: 'x64' })).not.toThrow();
  });

  it('wants APP_URL where the network can reach it', () => {
    expect(() => readAddress({ HOST: '0.0.0.0' })).toThrow(/set APP_URL/);
    expect(readAddress({ HOST: '0.0.0.0', APP_URL: 'https://x.example' })).toEqual({ host: '0.0.0.0', port: 3000 });
    expect(readAddress({})).toEqual({ host: '127.0.0.1', port: 3000 });
  });

  it.each([
    [{ PORT: 'abc' }, /PORT=abc is no port/],
    [{ PORT: '3000.5' }, /no port/],
    [{ PORT: '70000' }, /no port/],
    [{ APP_URL: 'loom.example.com' }, /APP_URL=loom.example.com is no web address/],
  ])('refuses %j', (env, sentence) => {
    expect(() => readAddress(env)).toThrow(sentence);
  });

  it.each([
    ['127.0.0.1', undefined, 'http://127.0.0.1:3000', 'http://localhost:3000'],
    ['0.0.0.0', 'https://loom.example.com/', 'http://127.0.0.1:3000', 'https://loom.example.com'],
    ['::', 'https://loom.example.com', 'http://[::1]:3000', 'https://loom.example.com'],
    ['::1', undefined, 'http://[::1]:3000', 'http://[::1]:3000'],
    ['192.0.2.7', 'http://192.0.2.7:3000', 'http://192.0.2.7:3000', 'http://192.0.2.7:3000'],
  ])('on %s with APP_URL %s serves itself at %s and people at %s', (host, appUrl, local, base) => {
    expect(addressesOf(host, 3000, appUrl)).toEqual({ local, base });
  });

  it('refuses a DATABASE_URL of something else', () => {
    expect(() => checkDatabaseUrl('mysql://a:secret@b/c')).toThrow(/^DATABASE_URL is no address of a PostgreSQL/);
    expect(() => checkDatabaseUrl('not a url')).toThrow(/no address/);
    expect(() => checkDatabaseUrl('postgresql:///name?host=/var/run/postgresql')).not.toThrow();
    expect(() => checkDatabaseUrl(undefined)).not.toThrow();
  });

  it('finds a free port for port 0', async () => {
    expect(await checkPort('127.0.0.1', 0)).toBeGreaterThan(0);
  });

  it('names a busy port', async () => {
    const server = net.createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as net.AddressInfo;
    await expect(checkPort('127.0.0.1', port)).rejects.toThrow(`Port ${port} on 127.0.0.1 is busy`);
    server.close();
  });
});

describe('lock', () => {
  const file = join(folder, 'lock');
  it('is held once and free after release', () => {
    const first = takeLock(file, { base: 'http://localhost:3000' });
    expect(takeLock(file).heldBy).toMatchObject({ pid: process.pid, base: 'http://localhost:3000' });
    first.release?.();
    expect(holder(file)).toBeNull();
  });

  it('is taken over from a process that died', () => {
    writeFileSync(file, JSON.stringify({ pid: 2 ** 22 + 1, startTime: '1' }));
    expect(takeLock(file).release).toBeTypeOf('function');
  });

  it('goes to one of many that find a dead process holding it', async () => {
    writeFileSync(file, JSON.stringify({ pid: 2 ** 22 + 1, startTime: '1' }));
    const script = `
      const { takeLock } = await import(${JSON.stringify(new URL('../../../server/start/lock.mjs', import.meta.url))});
      process.stdout.write(takeLock(${JSON.stringify(file)}).release ? 'taken' : 'held');
      setTimeout(() => {}, 600);`;
    const tries = await Promise.all(
      Array.from({ length: 4 }, () => promisify(execFile)(process.execPath, ['--input-type=module', '-e', script])),
    );
    expect(tries.filter((t) => t.stdout === 'taken')).toHaveLength(1);
  });

  it('is not fooled by a reused pid', () => {
    writeFileSync(file, JSON.stringify({ pid: process.pid, startTime: '1' }));
    expect(holder(file)).toBeNull();
  });
});

describe('copies of a stopped cluster', () => {
  it('keep the three newest, whole', () => {
    const home = mkdtempSync(join(tmpdir(), 'inferloom copies '));
    mkdirSync(join(home, 'pg', 'base'), { recursive: true });
    mkdirSync(join(home, 'pg-copies', 'part'), { recursive: true });
    for (const day of [1, 2, 3, 4]) {
      writeFileSync(join(home, 'pg', 'base', '1'), `day ${day}`);
      copyCluster(join(home, 'pg'), `2026-01-0${day}`);
    }
    expect(readdirSync(join(home, 'pg-copies'))).toEqual(['2026-01-02', '2026-01-03', '2026-01-04']);
    expect(readFileSync(join(home, 'pg-copies', '2026-01-04', 'base', '1'), 'utf8')).toBe('day 4');
    rmSync(home, { recursive: true });
  });
});

describe('stamps', () => {
  it('runs the work once per stamp and again after a failure', async () => {
    const file = join(folder, 'deep', 'stamp');
    let runs = 0;
    const work = async () => {
      runs++;
    };
    await expect(unlessStamped(file, 'a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await unlessStamped(file, 'a', work)).toBe(true);
    expect(await unlessStamped(file, 'a', work)).toBe(false);
    expect(await unlessStamped(file, 'b', work)).toBe(true);
    expect(runs).toBe(2);
    expect(readFileSync(file, 'utf8')).toBe('b');
  });

  it('runs the work again after an interrupted run of another stamp', async () => {
    const file = join(folder, 'interrupted');
    await unlessStamped(file, 'a', async () => {});
    await expect(unlessStamped(file, 'b', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await unlessStamped(file, 'a', async () => {})).toBe(true);
  });
});

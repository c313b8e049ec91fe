import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { checkHost, checkHostSetting, checkPort } from '@/server/start/checks.mjs';
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
    expect(() => checkHostSetting({ HOST: '0.0.0.0' })).toThrow(/set APP_URL/);
    expect(() => checkHostSetting({ HOST: '0.0.0.0', APP_URL: 'https://x.example' })).not.toThrow();
    expect(() => checkHostSetting({})).not.toThrow();
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

  it('is not fooled by a reused pid', () => {
    writeFileSync(file, JSON.stringify({ pid: process.pid, startTime: '1' }));
    expect(holder(file)).toBeNull();
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
});

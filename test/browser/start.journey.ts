import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import net from 'node:net';
import { join, resolve } from 'node:path';
import { expect, test } from '@playwright/test';
import { descendants, freePort, type Launched, launchApp } from '../support/launcher';

/** The launcher as a whole. It stands among the journeys because it serves the pages that they have built. */
const root = resolve(process.env.INFERLOOM_DATA_DIR ?? '.data-test');
const fresh = (name: string): string => {
  const data = join(root, `start ${name}`);
  rmSync(data, { recursive: true, force: true });
  return data;
};
const below = (app: Launched) => descendants(app.pid).map((p) => p.pid);
/** Pid of the process whose command line has `part`; 0 where none runs. */
const processOf = (app: Launched, part: string): number =>
  descendants(app.pid).find((p) => p.command.includes(part) && !p.command.startsWith('sh '))?.pid ?? 0;
const readyStatus = (app: Launched) =>
  fetch(`${app.base}/readyz`).then(
    (response) => response.status,
    () => 0,
  );
const listens = (port: number) =>
  new Promise<boolean>((done) => {
    const socket = net.connect(port, '127.0.0.1', () => done(true));
    socket.once('error', () => done(false)).once('connect', () => socket.destroy());
  });

const ENDS = [
  { mode: 'start', signal: 'SIGINT' },
  { mode: 'start', signal: 'SIGTERM' },
  { mode: 'start', signal: 'SIGKILL' },
  { mode: 'dev', signal: 'SIGKILL' },
] as const;
for (const { mode, signal } of ENDS)
  test(`${mode}: no process and no port stays after ${signal} to the launcher`, async () => {
    const app = await launchApp({ data: fresh(`${mode} ${signal}`), mode });
    const isWorker = /cli(\.mjs|\/main\.ts) worker/;
    await expect.poll(() => descendants(app.pid).some((p) => isWorker.test(p.command))).toBe(true);
    const pids = below(app);
    expect(pids.length).toBeGreaterThanOrEqual(4);
    app.child.kill(signal);
    const [code] = await once(app.child, 'exit');
    expect(code).toBe(signal === 'SIGKILL' ? null : 0);
    await expect.poll(() => pids.filter((pid) => existsSync(`/proc/${pid}`))).toEqual([]);
    expect(await listens(Number(new URL(app.base).port))).toBe(false);
  });

test('web server, worker and database come back after kill -9; a second start says who runs', async () => {
  const data = fresh('revival');
  const app = await launchApp({ data });
  try {
    for (const part of ['web.mjs', 'bin/postgres', 'cli.mjs worker']) {
      await expect.poll(() => processOf(app, part)).toBeGreaterThan(0);
      const pid = processOf(app, part);
      process.kill(pid, 'SIGKILL');
      await expect.poll(() => existsSync(`/proc/${pid}`)).toBe(false);
      await expect.poll(() => readyStatus(app), { timeout: 60_000 }).toBe(200);
      const revived = () => processOf(app, part);
      await expect.poll(revived, { timeout: 60_000 }).toBeGreaterThan(0);
      expect(revived()).not.toBe(pid);
    }
    await expect(launchApp({ data })).rejects.toThrow(`inferloom: Inferloom already runs from ${data} (pid ${app.pid}`);
  } finally {
    await app.stop();
  }
});

test('what cannot start says so in one sentence', async () => {
  const port = await freePort();
  const start = (env: Record<string, string>) => {
    const { status, stderr, stdout } = spawnSync(process.execPath, ['server/start/bootstrap.mjs', 'start'], {
      encoding: 'utf8',
      env: { ...process.env, INFERLOOM_DATA_DIR: fresh('refused'), PORT: String(port), ...env },
    });
    expect(stdout).toBe('');
    return { status, lines: stderr.trim().split('\n') };
  };
  const refused = (text: RegExp) => ({ status: 1, lines: [expect.stringMatching(text)] });
  expect(start({ DATABASE_URL: 'postgresql://a:b@127.0.0.1:9/x' })).toEqual(refused(/^inferloom: .*ECONNREFUSED.*127/));
  expect(start({ DATABASE_URL: 'mysql://a:b@127.0.0.1/x' })).toEqual(refused(/no address of a PostgreSQL/));
  expect(start({ HOST: '0.0.0.0' })).toEqual(refused(/set APP_URL/));
  expect(start({ PORT: new URL(process.env.INFERLOOM_BASE ?? '').port })).toEqual(refused(/is busy/));
});

test('a database of a newer version is refused and left as it is', async () => {
  const data = fresh('newer');
  const first = await launchApp({ data });
  const { url } = JSON.parse(readFileSync(join(data, 'database.lock'), 'utf8'));
  const { default: pg } = await import('pg');
  const client = new pg.Client(url);
  await client.connect();
  await client.query(`insert into _prisma_migrations (id, checksum, migration_name, finished_at)
                      values ('newer', 'x', '99990101000000_from_the_future', now())`);
  await client.end();
  await first.stop();
  await expect(launchApp({ data })).rejects.toThrow(/newer Inferloom \(99990101000000_from_the_future\)/);
});

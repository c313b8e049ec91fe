import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createHTTPHandler } from '@trpc/server/adapters/standalone';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { resolveWorker } from '@/server/api/worker/resolve-worker';
import { workerRouter } from '@/server/api/worker/router';
import type { ExperimentSpec } from '@/server/core/run/experiment';
import { closeDb, systemDb } from '@/server/db/client';
import { migrate } from '@/server/db/migrate';
import { getExperiment } from '@/server/services/experiments';
import { sweepLeases } from '@/server/services/leases';
import type { Scope } from '@/server/services/scope';
import { createToken } from '@/server/services/tokens';
import { openCluster } from '@/server/start/cluster.mjs';
import { MIGRATIONS, runSql } from '@/test/support/database';
import { makeExperiment, makeTeam } from '@/test/support/team';
import { runAgent } from '@/workers/agent/agent';
import { createWorkerClient } from '@/workers/agent/worker-client';
import { describeHost } from '@/workers/host/hardware';
import { aLoadResult, aPlan, aSpec, FakeDriver, fakeTools } from './fixtures';

const ROOT = path.resolve(import.meta.dirname, '../../..');
type Cluster = Awaited<ReturnType<typeof openCluster>>;

let home: string;
let cluster: Cluster;
let team: Scope;
let token: string;
let api: http.Server;
let port = 0;
let stop: AbortController;
let driver: FakeDriver;

const eventually = <T>(look: () => T) => expect.poll(look, { timeout: 60_000, interval: 100 });
const url = (): string => `http://127.0.0.1:${port}`;
const binFolder = (): string => path.join(home, 'bin');

/** The worker router on real HTTP, on the same port each time. */
async function openApi(): Promise<void> {
  const handler = createHTTPHandler({
    router: workerRouter,
    basePath: '/api/worker/',
    createContext: async ({ req }) => ({
      scope: await resolveWorker(new Headers(req.headers as Record<string, string>)),
      responseHeaders: new Headers(),
    }),
  });
  api = http.createServer(handler);
  await new Promise<void>((resolve) => api.listen(port, '127.0.0.1', resolve));
  port = (api.address() as AddressInfo).port;
}
async function closeApi(): Promise<void> {
  api.closeAllConnections();
  await new Promise((resolve) => api.close(resolve));
}

/** An engine that never answers in full: a trial on it is always in its middle. */
const ENDLESS_ENGINE = `#!${process.execPath}
if (process.argv.includes('--version')) { console.error('version: 1 (test)'); process.exit(0); }
require('node:http').createServer((req, res) => {
  if (req.url === '/health') return res.end('ok');
  res.writeHead(200, { 'content-type': 'text/event-stream' });
  setInterval(() => res.write('data: {"choices":[{"index":0,"text":"word "}]}\\n\\n'), 50);
}).listen(Number(process.argv[process.argv.indexOf('--port') + 1]), '127.0.0.1');
`;

beforeAll(async () => {
  home = mkdtempSync(path.join(tmpdir(), 'inferloom-agent-db-'));
  mkdirSync(binFolder());
  writeFileSync(path.join(binFolder(), 'llama-server'), ENDLESS_ENGINE);
  chmodSync(path.join(binFolder(), 'llama-server'), 0o755);
  cluster = await openCluster(path.join(home, 'database'));
  await cluster.start();
  process.env.DATABASE_URL = cluster.url;
  process.env.INFERLOOM_DATA_DIR = path.join(home, 'data');
  await migrate({ url: cluster.url, dir: MIGRATIONS });
}, 120_000);
afterAll(async () => {
  await closeDb();
  await cluster?.stop();
  rmSync(home, { recursive: true, force: true });
});
beforeEach(async () => {
  process.env.INFERLOOM_LEASE_MS = '4000';
  port = 0;
  await openApi();
  team = await makeTeam();
  token = (await createToken(team, { kind: 'worker', name: 'w', role: null, expiresInDays: null })).token;
  stop = new AbortController();
  driver = new FakeDriver();
});
afterEach(async () => {
  stop.abort();
  await closeApi();
  await runSql(cluster.url, 'TRUNCATE "team" CASCADE');
});

const plans = (): ExperimentSpec =>
  aSpec(
    ['baseline', 'b'].map((name) => {
      const plan = aPlan(name);
      const launched = { engine: 'llama.cpp', runtime: 'llama-server', argv: ['llama-server'] };
      return { ...plan, components: plan.components.map((c) => ({ ...c, ...launched })) };
    }),
  );

/** An agent in this process whose load lasts until it is let go. */
async function startAgent(): Promise<{ letGo(): void }> {
  let letGo: () => void = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const tools = fakeTools({
    runLoad: async (options) => {
      options.onPhase?.('warming');
      options.onPhase?.('measuring');
      await Promise.race([held, new Promise((r) => options.signal?.addEventListener('abort', r))]);
      options.signal?.throwIfAborted();
      return aLoadResult();
    },
  });
  const environment = { PATH: `${binFolder()}:${process.env.PATH}` };
  void runAgent({
    ...{ api: createWorkerClient(url(), token), serverUrl: url(), name: 'w', version: '0', signal: stop.signal, tools },
    ...{ workDir: path.join(home, 'work'), host: await describeHost(environment), environment, idleMs: 100 },
    createDrivers: () => [driver],
    say: () => {},
  });
  return { letGo };
}

const look = (id: string) => getExperiment(team, id);
const states = async (id: string): Promise<string[]> => (await look(id)).trials.map((t) => t.state);
const seqs = async (id: string): Promise<number[]> => {
  const rows = await systemDb().event.findMany({ where: { stream: { experimentId: id } }, orderBy: { seq: 'asc' } });
  return rows.map((row) => row.seq);
};
const expectNoGap = async (id: string): Promise<void> => {
  const numbers = await seqs(id);
  expect(numbers.length).toBeGreaterThan(10);
  expect(numbers).toEqual(numbers.map((_, i) => i + 1));
};

describe('an agent and the real services', { timeout: 180_000 }, () => {
  it('claims, streams and finishes an experiment', async () => {
    const { experimentId } = await makeExperiment(team, { ...plans(), blocks: 2 });
    const agent = await startAgent();
    agent.letGo();
    await eventually(async () => (await look(experimentId)).state).toBe('succeeded');
    expect(await states(experimentId)).toEqual(['succeeded', 'succeeded', 'succeeded', 'succeeded']);
    await expectNoGap(experimentId);
  });

  it('loses no event when the server is away in the middle of a trial', async () => {
    const { experimentId } = await makeExperiment(team, { ...plans(), blocks: 1 });
    const agent = await startAgent();
    await eventually(() => states(experimentId)).toContain('measuring');
    await closeApi();
    agent.letGo();
    await new Promise((resolve) => setTimeout(resolve, 1000));
    await openApi();
    await eventually(async () => (await look(experimentId)).state).toBe('succeeded');
    expect(await states(experimentId)).toEqual(['succeeded', 'succeeded']);
    await expectNoGap(experimentId);
  });

  it('loses no event when PostgreSQL is killed -9 in the middle of a trial', async () => {
    // Recovery may take longer than the other tests' lease on a crowded machine.
    process.env.INFERLOOM_LEASE_MS = '60000';
    const { experimentId } = await makeExperiment(team, { ...plans(), blocks: 1 });
    const agent = await startAgent();
    await eventually(() => states(experimentId)).toContain('measuring');
    const before = await seqs(experimentId);
    process.kill(Number(readFileSync(path.join(cluster.dir, 'postmaster.pid'), 'utf8').split('\n')[0]), 'SIGKILL');
    agent.letGo();
    await new Promise((resolve) => setTimeout(resolve, 500));
    await cluster.start();
    await eventually(() =>
      look(experimentId).then(
        (e) => e.state,
        () => 'away',
      ),
    ).toBe('succeeded');
    expect((await seqs(experimentId)).slice(0, before.length)).toEqual(before);
    await expectNoGap(experimentId);
  });

  it('runs the block again after its agent was killed -9 in the middle of a trial', async () => {
    const { experimentId } = await makeExperiment(team, { ...plans(), blocks: 1 });
    const args = ['--import', 'tsx', 'workers/cli/main.ts', 'worker', '--server', url(), '--name', 'w'];
    const child = spawn(process.execPath, [...args, '--work-dir', path.join(home, 'work')], {
      cwd: ROOT,
      env: { NODE_ENV: 'test', PATH: `${binFolder()}:${process.env.PATH}`, HOME: home, INFERLOOM_WORKER_TOKEN: token },
      stdio: 'ignore',
    });
    const gone = new Promise((resolve) => child.once('exit', resolve));
    await eventually(() => states(experimentId)).toContain('warming');
    child.kill('SIGKILL');
    await gone;
    const agent = await startAgent();
    agent.letGo();
    await eventually(async () => {
      await sweepLeases();
      return (await look(experimentId)).state;
    }).toBe('succeeded');
    const { trials, blocks } = await look(experimentId);
    expect(blocks[0]?.attempt).toBe(2);
    expect(trials.filter((t) => t.superseded).map((t) => t.attempt)).toEqual([1, 1]);
    expect(trials.filter((t) => !t.superseded).map((t) => t.state)).toEqual(['succeeded', 'succeeded']);
    await expectNoGap(experimentId);
  });
});

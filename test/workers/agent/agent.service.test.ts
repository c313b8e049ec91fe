import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Host } from '@/server/core/run/trial';
import { type AgentEnd, type AgentOptions, runAgent } from '@/workers/agent/agent';
import { openSpool } from '@/workers/agent/spool';
import { createWorkerClient } from '@/workers/agent/worker-client';
import { FakeServer } from './fake-server';
import { aBlock, aLoadResult, aPlan, FakeDriver, fakeTools } from './fixtures';

vi.setConfig({ testTimeout: 30_000 });
/** Waits long enough for a crowded machine. */
const eventually = <T>(look: () => T) => expect.poll(look, { timeout: 15_000 });

const host: Host = {
  fingerprint: 'f',
  cpuModel: 'cpu',
  cores: 2,
  memoryBytes: 1,
  devices: [],
  os: 'test',
  engines: {},
};

let server: FakeServer;
let workDir: string;
let driver: FakeDriver;
let stop: AbortController;
let said: string[];
beforeEach(async () => {
  server = await new FakeServer().listen();
  workDir = await mkdtemp(path.join(tmpdir(), 'inferloom-agent-'));
  driver = new FakeDriver();
  stop = new AbortController();
  said = [];
});
afterEach(async () => {
  stop.abort();
  await server.close();
  await rm(workDir, { recursive: true, force: true });
});

const start = (change: Partial<AgentOptions> = {}): Promise<AgentEnd> =>
  runAgent({
    api: createWorkerClient(server.url, 'token'),
    serverUrl: server.url,
    name: 'w',
    version: '0',
    workDir,
    host,
    environment: {},
    createDrivers: () => [driver],
    tools: fakeTools(),
    signal: stop.signal,
    say: (message) => said.push(message),
    idleMs: 20,
    batchIntervalMs: 5,
    ...change,
  });

const attemptsLeft = (): Promise<string[]> => readdir(path.join(workDir, 'attempts')).catch(() => []);
const block = (change: Parameters<typeof aBlock>[1] = {}) => aBlock([aPlan('baseline'), aPlan('b')], change);
const hangingLoad = fakeTools({
  runLoad: (options) => {
    options.onPhase?.('measuring');
    return new Promise((_, reject) => options.signal?.addEventListener('abort', () => reject(options.signal?.reason)));
  },
});

describe('runAgent', () => {
  it('runs a claimed block: events without a gap, outcomes with their digest, nothing left behind', async () => {
    server.queue = [block()];
    const agent = start();
    await eventually(() => server.finished.size).toBe(2);
    await eventually(attemptsLeft).toEqual([]);
    const events = server.events.get('attempt-1') ?? [];
    expect(events.map((e) => e.agentSeq)).toEqual(events.map((_, i) => i + 1));
    expect(events[0]).toMatchObject({ trialId: 't0', body: { kind: 'phase', phase: 'preparing' } });
    expect([...server.finished.values()].map((o) => o.state)).toEqual(['succeeded', 'succeeded']);
    stop.abort();
    expect(await agent).toEqual({ why: 'stopped' });
  });

  it('claims nothing while the disk is full, says so here and to the server, and goes on when there is room', async () => {
    server.queue = [block()];
    let free = 0.4e9;
    void start({ freeDiskBytes: async () => free, shortageMs: 20 });
    await eventually(() => server.pausedBecause).toContain('0.40 GB free');
    await eventually(() => server.registrations).toBeGreaterThan(4);
    expect(server.queue).toHaveLength(1);
    expect(said.filter((line) => line.startsWith('claims nothing: the disk of'))).toHaveLength(1);
    free = 2e9;
    await eventually(() => server.finished.size).toBe(2);
    expect(server.pausedBecause).toBeNull();
    expect(said).toContain('claims again: the disk has room');
  });

  it('sends again what the server lost, when a finish is refused', async () => {
    server.queue = [block()];
    server.forget = 2;
    void start();
    await eventually(() => server.finished.size).toBe(2);
    const events = server.events.get('attempt-1') ?? [];
    expect(events.map((e) => e.agentSeq)).toEqual(events.map((_, i) => i + 1));
  });

  it('waits after 429, halves a batch after 413, and goes on when the server was away', async () => {
    const chatty = fakeTools({
      encodeRecords: async () => 'x'.repeat(30_000),
      runLoad: async (options) => {
        for (let i = 0; i < 200; i++) options.onPhase?.(i % 2 ? 'measuring' : 'warming');
        return aLoadResult();
      },
    });
    server.tooMany = 2;
    server.maxBatchBytes = 70_000;
    server.isDown = true;
    server.queue = [block()];
    void start({ tools: chatty });
    setTimeout(() => {
      server.isDown = false;
    }, 100);
    await eventually(() => server.finished.size).toBe(2);
    expect(server.bodies('attempt-1').filter((b) => b.kind === 'records')).toHaveLength(2);
  });

  it('sends at most one batch each interval', async () => {
    server.queue = [block()];
    void start({ batchIntervalMs: 100 });
    await eventually(() => server.finished.size).toBe(2);
    const gaps = server.batches.slice(1).map((b, i) => b.atMs - (server.batches[i]?.atMs ?? 0));
    expect(gaps.every((gap) => gap > 80)).toBe(true);
  });

  it('cancels when told so: the engine stops and each trial ends cancelled', async () => {
    server.queue = [block()];
    void start({ tools: hangingLoad });
    await eventually(() => server.bodies('attempt-1').length).toBeGreaterThan(2);
    server.cancelled.add('attempt-1');
    await eventually(() => server.finished.size).toBe(2);
    expect([...server.finished.values()].map((o) => o.state)).toEqual(['cancelled', 'cancelled']);
    expect(driver.happened).toContain('stop baseline');
  });

  it('stops the engine and drops the result when it lost the attempt, then asks for work again', async () => {
    server.queue = [block()];
    void start({ tools: hangingLoad });
    await eventually(() => server.bodies('attempt-1').length).toBeGreaterThan(2);
    server.lost.add('attempt-1');
    await eventually(() => driver.happened).toContain('stop baseline');
    await eventually(attemptsLeft).toEqual([]);
    expect(server.finished.size).toBe(0);
    server.queue = [block({ attemptId: 'attempt-2' })];
    await eventually(() => server.events.has('attempt-2')).toBe(true);
  });

  it('gives up an attempt by itself when its lease runs out unanswered', async () => {
    server.leaseMs = 300;
    server.queue = [block({ leaseMs: 300 })];
    void start({ tools: hangingLoad });
    await eventually(() => server.bodies('attempt-1').length).toBeGreaterThan(2);
    server.isDown = true;
    await eventually(() => driver.happened).toContain('stop baseline');
    expect(said.some((s) => s.includes('the lease ran out'))).toBe(true);
  });

  it('sends what an earlier agent left before it asks for work', async () => {
    const folder = path.join(workDir, 'attempts', 'attempt-0');
    const spool = await openSpool(folder);
    spool.add('t0', 1, { kind: 'phase', phase: 'measuring', detail: null });
    spool.add('t0', 2, { kind: 'log', lines: ['last words'] });
    await spool.flush();
    await spool.close();
    const record = { serverUrl: server.url, workerId: server.workerId, attemptId: 'attempt-0', experimentId: 'x' };
    await writeFile(path.join(folder, 'attempt.json'), JSON.stringify(record));
    void start();
    await eventually(() => server.bodies('attempt-0').map((b) => b.kind)).toEqual(['phase', 'log']);
    await eventually(attemptsLeft).toEqual([]);
  });

  it('ends and says why when the versions differ, or its token is refused', async () => {
    expect(await start({ protocolVersion: 99 })).toEqual({
      why: 'protocol',
      message: 'Install the same release on both.',
    });
    const end = await start({ api: createWorkerClient(server.url, 'wrong') });
    expect(end.why).toBe('refused');
  });

  it('stops in good order: the engine ends and the attempt stays for the next agent', async () => {
    server.queue = [block()];
    const agent = start({ tools: hangingLoad });
    await eventually(() => server.bodies('attempt-1').length).toBeGreaterThan(2);
    stop.abort();
    expect(await agent).toEqual({ why: 'stopped' });
    expect(driver.happened).toContain('stop baseline');
    expect(server.finished.size).toBe(0);
  });
});

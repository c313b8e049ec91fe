import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Plan } from '@/server/core/plan/plan';
import { readAllProcesses } from '@/workers/telemetry/proc';
import { FakeServer } from './fake-server';
import { aBlock, aPlan } from './fixtures';

const ROOT = path.resolve(import.meta.dirname, '../../..');

/** Stands in for llama-server: healthy, streams slowly, ignores SIGTERM and the death of whoever started it. */
const FAKE_LLAMA_SERVER = `#!${process.execPath}
if (process.argv.includes('--version')) process.exit(0);
process.on('SIGTERM', () => {});
require('node:http').createServer((req, res) => {
  if (req.url === '/health') return res.end('ok');
  res.writeHead(200, { 'content-type': 'text/event-stream' });
  setInterval(() => res.write('data: {"choices":[{"index":0,"text":"word "}]}\\n\\n'), 50);
}).listen(Number(process.argv[process.argv.indexOf('--port') + 1]), '127.0.0.1');
`;

const slowPlan = (): Plan => {
  const plan = aPlan('baseline');
  return {
    ...plan,
    components: plan.components.map((c) => ({
      ...c,
      engine: 'llama.cpp',
      runtime: 'llama-server',
      argv: ['llama-server', '--threads', '1'],
    })),
  };
};

let server: FakeServer;
let folder: string;
let agents: ChildProcess[];
beforeEach(async () => {
  server = await new FakeServer().listen();
  server.leaseMs = 30_000;
  folder = await mkdtemp(path.join(tmpdir(), 'inferloom-processes-'));
  agents = [];
  await mkdir(path.join(folder, 'bin'));
  await writeFile(path.join(folder, 'bin', 'llama-server'), FAKE_LLAMA_SERVER);
  await chmod(path.join(folder, 'bin', 'llama-server'), 0o755);
});
afterEach(async () => {
  for (const agent of agents) agent.kill('SIGKILL');
  for (const pid of await enginePids()) process.kill(pid, 'SIGKILL');
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

const workDir = (): string => path.join(folder, 'work');
const enginePids = async (): Promise<number[]> => {
  const names = await readdir(path.join(workDir(), 'engines')).catch(() => []);
  const living = (await readAllProcesses()).filter((p) => p.state !== 'Z').map((p) => p.pid);
  return names.map((name) => Number.parseInt(name, 10)).filter((pid) => living.includes(pid));
};

function startAgent(): { child: ChildProcess; exited: Promise<number | null> } {
  const args = ['--import', 'tsx', 'workers/cli/main.ts', 'worker', '--server', server.url, '--work-dir', workDir()];
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: {
      NODE_ENV: 'test',
      PATH: `${path.join(folder, 'bin')}:${process.env.PATH}`,
      HOME: folder,
      INFERLOOM_WORKER_TOKEN: 'token',
      INFERLOOM_PARENT_PIPE: '1',
    },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  agents.push(child);
  return { child, exited: new Promise((resolve) => child.once('exit', (code) => resolve(code))) };
}

const eventually = <T>(look: () => T) => expect.poll(look, { timeout: 60_000, interval: 100 });
const phases = (attemptId: string): string[] =>
  server.bodies(attemptId).flatMap((body) => (body.kind === 'phase' ? [body.phase] : []));

async function untilMeasuring(): Promise<number> {
  server.queue = [aBlock([slowPlan()])];
  await eventually(() => phases('attempt-1')).toContain('warming');
  const [pid] = await enginePids();
  if (pid === undefined) throw new Error('no engine is written down');
  return pid;
}
const lives = async (pid: number): Promise<boolean> =>
  (await readAllProcesses()).some((p) => p.pid === pid && p.state !== 'Z');

describe('an agent and its engine', { timeout: 180_000 }, () => {
  it('killed -9 leaves an engine that the next agent ends; the events that were not sent yet arrive', async () => {
    const first = startAgent();
    const engine = await untilMeasuring();
    const before = server.events.get('attempt-1')?.length ?? 0;
    server.isDown = true;
    first.child.kill('SIGKILL');
    await first.exited;
    expect(await lives(engine)).toBe(true);
    server.isDown = false;
    startAgent();
    await eventually(() => lives(engine)).toBe(false);
    await eventually(() => server.registrations).toBe(2);
    await eventually(() => readdir(path.join(workDir(), 'attempts'))).toEqual([]);
    const events = server.events.get('attempt-1') ?? [];
    expect(events.length).toBeGreaterThanOrEqual(before);
    expect(events.map((e) => e.agentSeq)).toEqual(events.map((_, i) => i + 1));
  });

  it('told to end by SIGTERM leaves no process behind', async () => {
    const agent = startAgent();
    const engine = await untilMeasuring();
    agent.child.kill('SIGTERM');
    expect(await agent.exited).toBe(0);
    expect(await lives(engine)).toBe(false);
  });

  it('whose launcher is gone ends by itself', async () => {
    const agent = startAgent();
    const engine = await untilMeasuring();
    agent.child.stdin?.destroy();
    expect(await agent.exited).toBe(0);
    expect(await lives(engine)).toBe(false);
  });
});

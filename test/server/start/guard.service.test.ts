import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCluster } from '@/server/start/cluster.mjs';
import { run } from '@/server/start/run.mjs';
import { descendants } from '../../support/launcher';

const alive = (pid: number) => existsSync(`/proc/${pid}`);

async function untilGone(pids: number[]): Promise<void> {
  for (let i = 0; i < 100 && pids.some(alive); i++) await new Promise((done) => setTimeout(done, 100));
}

describe('a command that we run to its end', () => {
  it.each(['SIGKILL', 'SIGTERM', 'SIGINT'] as const)('ends with its children after %s of ours', async (signal) => {
    const module = JSON.stringify(new URL('../../../server/start/run.mjs', import.meta.url));
    const script = `const { run } = await import(${module}); await run('sh', ['-c', 'sleep 60 & sleep 60']);`;
    const ours = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'ignore' });
    let below: number[] = [];
    for (let i = 0; i < 100 && below.length < 4; i++) {
      await new Promise((done) => setTimeout(done, 100));
      below = descendants(ours.pid ?? 0).map((p) => p.pid);
    }
    expect(below.length).toBeGreaterThanOrEqual(4);
    ours.kill(signal);
    await once(ours, 'exit');
    await untilGone(below);
    expect(below.filter(alive)).toEqual([]);
  });

  it("passes on the sentence of our own program, and else names the command's end", async () => {
    await expect(run('sh', ['-c', 'echo "inferloom: The disk is full." >&2; exit 1'])).rejects.toThrow(
      /^The disk is full\.$/,
    );
    await expect(run('sh', ['-c', 'exit 3'], { what: 'the build' })).rejects.toThrow('the build failed (exit 3).');
    expect(await run('sh', ['-c', 'echo out; echo err >&2'])).toMatch(/out|err/);
  });
});

describe('the embedded cluster', () => {
  const home = mkdtempSync(join(tmpdir(), 'inferloom cluster '));
  let cluster: Awaited<ReturnType<typeof openCluster>>;
  beforeAll(async () => {
    cluster = await openCluster(home);
  });
  afterAll(async () => {
    await cluster.stop();
    rmSync(home, { recursive: true, force: true });
  });

  it('starts over a pid file whose process is another one now, as after a reboot', async () => {
    writeFileSync(join(home, 'pg', 'postmaster.pid'), `${process.pid}\n${join(home, 'pg')}\n`);
    await cluster.start();
    await cluster.stop();
  });

  it('refuses the folder of another major version', async () => {
    const file = join(home, 'pg', 'PG_VERSION');
    writeFileSync(file, '15\n');
    await expect(openCluster(home)).rejects.toThrow(/was made by PostgreSQL 15/);
    writeFileSync(file, '18\n');
    await openCluster(home);
  });
});

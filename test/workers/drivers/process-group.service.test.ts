import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { killLeftovers, recordProcess, signalGroup } from '@/workers/drivers/owned-processes';
import { spawnGroup } from '@/workers/drivers/process-group';
import { readAllProcesses } from '@/workers/telemetry/proc';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'inferloom-group-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const start = (script: string, lines: string[] = []) =>
  spawnGroup({
    command: '/bin/sh',
    args: ['-c', script],
    env: { PATH: process.env.PATH ?? '' },
    cwd: folder,
    ownedFolder: path.join(folder, 'owned'),
    redact: (text) => text.replaceAll('hidden', '[redacted]'),
    onLine: (line) => lines.push(line),
  });

/** As an agent leaves it that was killed: owned by a process that is gone. */
async function disown(owned: string, change: Record<string, unknown> = {}): Promise<void> {
  for (const name of await readdir(owned)) {
    const file = path.join(owned, name);
    const record = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>;
    await writeFile(file, JSON.stringify({ ...record, owner: { pid: 1, startedAt: 'long ago' }, ...change }));
  }
}

const livingMembers = async (group: number): Promise<number> =>
  (await readAllProcesses()).filter((p) => p.group === group && p.state !== 'Z').length;

describe('spawnGroup', () => {
  it('reports lines, redacted, and how the process ended', async () => {
    const lines: string[] = [];
    const group = await start('echo one hidden; printf last >&2; exit 3', lines);
    expect(await group.exited).toEqual({ code: 3, signal: null });
    expect(lines.sort()).toEqual(['last', 'one [redacted]']);
    expect(group.logTail().sort()).toEqual(lines);
    await group.stop();
  });

  it('throws for a program that is not there', async () => {
    await expect(
      spawnGroup({
        command: '/no/such/program',
        args: [],
        env: {},
        cwd: folder,
        ownedFolder: folder,
        redact: (t) => t,
        onLine: () => {},
      }),
    ).rejects.toThrow(/ENOENT/);
  });

  it('stops grandchildren too, also those that ignore SIGTERM', async () => {
    const group = await start(`sh -c 'trap "" TERM; while :; do sleep 0.1; done' & wait`);
    await expect.poll(() => livingMembers(group.pid)).toBeGreaterThanOrEqual(2);
    await group.stop(200);
    await expect.poll(() => livingMembers(group.pid)).toBe(0);
    expect(await readdir(path.join(folder, 'owned'))).toEqual([]);
  });
});

describe('killLeftovers', () => {
  it('ends the groups that a dead agent left, leader gone or not, and none of a living one', async () => {
    const owned = path.join(folder, 'owned');
    const withLeader = await start('sleep 60');
    const leaderless = await start('sleep 61 & wait');
    await expect.poll(() => livingMembers(leaderless.pid)).toBe(2);
    process.kill(leaderless.pid, 'SIGKILL');
    await leaderless.exited;
    expect(await livingMembers(leaderless.pid)).toBe(1);
    expect(await killLeftovers(owned)).toEqual([]);
    expect(await livingMembers(withLeader.pid)).toBeGreaterThan(0);
    await disown(owned);
    expect(await killLeftovers(owned)).toHaveLength(2);
    await expect.poll(() => livingMembers(leaderless.pid)).toBe(0);
    await expect.poll(() => livingMembers(withLeader.pid)).toBe(0);
    expect(await readdir(owned)).toEqual([]);
  });

  it('leaves a process alone that only took over the pid', async () => {
    const owned = path.join(folder, 'owned');
    const other = spawn('sleep', ['60'], { detached: true, stdio: 'ignore' });
    const pid = other.pid as number;
    try {
      await recordProcess(owned, pid, 'engine');
      await disown(owned, { startedAt: '1' });
      expect(await killLeftovers(owned)).toEqual([]);
      expect(signalGroup(pid, 0)).toBe(true);
    } finally {
      signalGroup(pid, 'SIGKILL');
    }
  });
});

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { projectRoot } from '@/workers/embedded/project-root';
import { until } from './engine-client';

const ROOT = projectRoot();
const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

let parent: ChildProcess | null = null;
afterEach(() => parent?.kill('SIGKILL'));

async function startParent(): Promise<{ enginePid: number; process: ChildProcess }> {
  const tsx = createRequire(import.meta.url).resolve('tsx');
  const script = path.join(ROOT, 'test/workers/embedded/parent-process.ts');
  const child = spawn(process.execPath, ['--import', tsx, script], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  parent = child;
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { enginePid: Number(line.toString()), process: child };
}

describe('an engine whose parent dies', () => {
  it('leaves with it, even when the parent is killed', async () => {
    const { enginePid, process: child } = await startParent();
    expect(isAlive(enginePid)).toBe(true);
    child.kill('SIGKILL');
    await until(() => !isAlive(enginePid));
  });
});

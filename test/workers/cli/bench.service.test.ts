import { execFile, fork } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { reportSchema } from '@/server/core/run/report';
import { startSimulator } from '@/workers/simulator/simulator';

const root = path.resolve(import.meta.dirname, '../../..');
const main = path.join(root, 'workers/cli/main.ts');

interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

const cli = (...args: string[]): Promise<Ended> =>
  new Promise((resolve) => {
    execFile(process.execPath, ['--import', 'tsx', main, ...args], { cwd: root }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });

const short = ['--isl', '40', '--osl', '8', '--seconds', '2', '--warmup', '1', '--concurrency', '2'];

describe('inferloom bench', () => {
  it('measures an endpoint and prints one report, stamped SIMULATED on our own simulator', async () => {
    const simulator = await startSimulator({ ttftMs: 20, itlMs: 4 });
    try {
      const { stdout } = await cli('bench', '--url', simulator.url, '--model', 'simulator', ...short, '--json');
      const report = reportSchema.parse(JSON.parse(stdout));
      expect(report.stamp).toBe('SIMULATED');
      expect(report.deployments).toHaveLength(1);
      const result = report.deployments[0]?.results[0];
      expect(result?.trials[0]?.requests).toBeGreaterThan(5);
      expect(result?.trials[0]?.metrics.ttftMsP50?.value).toBeGreaterThan(19);
    } finally {
      await simulator.stop();
    }
  });

  it('exits 1 where nothing answers and 2 on what it cannot do', async () => {
    const nobody = await cli('bench', '--url', 'http://127.0.0.1:9', '--model', 'm', ...short);
    expect(nobody).toMatchObject({ code: 1, stdout: '' });
    expect(nobody.stderr).toContain('nothing answers at http://127.0.0.1:9');
    const trace = await cli('bench', '--url', 'http://127.0.0.1:9', '--model', 'm', '--trace', 'x');
    expect(trace.code).toBe(2);
    expect(trace.stderr).toContain('--trace is not supported yet');
    expect((await cli('bench', '--model', 'm')).code).toBe(2);
  });
});

describe('inferloom simulate', () => {
  it('serves until it is told to stop, and its log holds every answer', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'inferloom-test-'));
    const log = path.join(folder, 'writes.jsonl');
    const args = ['simulate', '--ttft', '5', '--itl', '1', '--log', log, '--json'];
    const child = fork(main, args, {
      cwd: root,
      execArgv: ['--import', 'tsx'],
      stdio: ['ignore', 'pipe', 'ignore', 'ipc'],
    });
    try {
      const first = await new Promise<Buffer>((resolve) => child.stdout?.once('data', resolve));
      const { url } = JSON.parse(first.toString()) as { url: string };
      const body = JSON.stringify({ model: 'm', prompt: 'one two three', max_tokens: 4 });
      const answer = await fetch(`${url}/v1/completions`, { method: 'POST', body });
      expect(await answer.json()).toMatchObject({ usage: { prompt_tokens: 3, completion_tokens: 4 } });
      const exit = new Promise((resolve) => child.once('exit', (code) => resolve(code)));
      child.kill('SIGTERM');
      expect(await exit).toBe(0);
      const entry = JSON.parse(readFileSync(log, 'utf8').trim()) as { writesNs: string[] };
      expect(entry.writesNs).toHaveLength(4);
    } finally {
      child.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('refuses unknown faults with exit 2', async () => {
    const { code, stderr } = await cli('simulate', '--faults', 'explode=1');
    expect(code).toBe(2);
    expect(stderr).toContain('unknown fault "explode"');
  });
});

import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reportSchema } from '@/server/core/run/report';
import { tinyPipeline } from '../agent/tiny-pipeline';

const ROOT = path.resolve(import.meta.dirname, '../../..');
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'inferloom-cli-run-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

const inferloom = (...args: string[]): Promise<Ended> =>
  new Promise((resolve) => {
    const env = { ...process.env, INFERLOOM_DATA_DIR: path.join(folder, 'data') };
    const command = ['--import', 'tsx', 'workers/cli/main.ts', ...args];
    execFile(process.execPath, command, { cwd: ROOT, env, maxBuffer: 64e6 }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });

describe('inferloom run', { timeout: 240_000 }, () => {
  it('runs two arms on the embedded engine: the report on stdout and in the file, progress on stderr', async () => {
    const file = path.join(folder, 'tiny.json');
    const out = path.join(folder, 'report.json');
    await writeFile(file, JSON.stringify(tinyPipeline));
    const ended = await inferloom('run', file, '--blocks', '1', '--seed', '5', '--out', out, '--json');
    const report = reportSchema.parse(JSON.parse(ended.stdout));
    expect(report).toMatchObject({ stamp: 'MEASURED', seed: 5 });
    expect(report.deployments.map((d) => [d.deployment, d.isBaseline])).toEqual([
      ['base', true],
      ['small', false],
    ]);
    for (const { results } of report.deployments) {
      const counted = results[0]?.trials.filter((t) => !t.superseded) ?? [];
      expect(counted.map((t) => t.state)).toEqual(['succeeded']);
      expect(counted[0]?.metrics.outputTokensPerS?.value).toBeGreaterThan(1);
    }
    // With one block no verdict is given.
    const comparisons = Object.values(report.deployments[1]?.results[0]?.comparison ?? {});
    expect(comparisons.every((c) => c.verdict === null)).toBe(true);
    expect(reportSchema.parse(JSON.parse(await readFile(out, 'utf8')))).toEqual(report);
    expect(ended.stderr).toMatch(/2\/2 block 1/);
    const isAllValid = report.deployments.every((d) => d.results[0]?.trials.some((t) => t.valid && !t.superseded));
    expect(ended.code).toBe(isAllValid ? 0 : 1);
  });

  it('ends with 2 for a file that cannot be read and with 1 for a pipeline with errors', async () => {
    expect((await inferloom('run', path.join(folder, 'none.json'))).code).toBe(2);
    const broken = path.join(folder, 'broken.json');
    await writeFile(broken, JSON.stringify({ version: 1, nodes: [], edges: [] }));
    const ended = await inferloom('run', broken, '--json');
    expect([ended.code, ended.stdout]).toEqual([1, '']);
    expect(ended.stderr).toContain('error [');
  });
});

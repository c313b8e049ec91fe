import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reportSchema } from '@/server/core/run/report';
import { listExperiments } from '@/server/services/experiments';
import { listPipelines } from '@/server/services/pipelines';
import type { Scope } from '@/server/services/scope';
import { createToken, revokeToken } from '@/server/services/tokens';
import { serveApi } from '@/test/support/api-server';
import { openTestDatabase, type TestDatabase } from '@/test/support/database';
import { makeTeam } from '@/test/support/team';
import { tinyPipeline } from '../agent/tiny-pipeline';

const ROOT = path.resolve(import.meta.dirname, '../../..');
let database: TestDatabase;
let api: Awaited<ReturnType<typeof serveApi>>;
let team: Scope;
let folder: string;
let file: string;
let agent: ChildProcess;

/** A command line of its own, which knows the server's address and its key only. */
function commandOf(...args: string[]) {
  const env: NodeJS.ProcessEnv = { ...process.env, INFERLOOM_DATA_DIR: path.join(folder, 'data') };
  delete env.DATABASE_URL;
  return { args: ['--import', 'tsx', 'workers/cli/main.ts', ...args], options: { cwd: ROOT, env } };
}
const inferloom = (...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> =>
  new Promise((resolve) => {
    const command = commandOf(...args);
    execFile(process.execPath, command.args, { ...command.options, maxBuffer: 64e6 }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
const makeKey = (role: 'editor' | 'viewer') =>
  createToken(team, { kind: 'api_key', name: role, role, expiresInDays: 1 });

beforeAll(async () => {
  database = await openTestDatabase();
  team = await makeTeam();
  api = await serveApi();
  folder = await mkdtemp(path.join(tmpdir(), 'inferloom-cli-remote-'));
  file = path.join(folder, 'tiny.json');
  await writeFile(file, JSON.stringify(tinyPipeline));
  const { token } = await createToken(team, { kind: 'worker', name: 'w', role: null, expiresInDays: null });
  const command = commandOf('worker', '--server', api.url, '--token', token, '--name', 'w');
  agent = spawn(process.execPath, command.args, { ...command.options, stdio: 'ignore' });
});
afterAll(async () => {
  agent?.kill('SIGTERM');
  if (agent && agent.exitCode === null) await once(agent, 'exit');
  api?.close();
  await rm(folder, { recursive: true, force: true });
  await database?.drop();
});

describe('inferloom run --server', { timeout: 240_000 }, () => {
  it("runs two arms on the server's worker, follows them, and prints the server's report", async () => {
    const key = await makeKey('editor');
    const ended = await inferloom(
      ...['run', file, '--server', api.url, '--api-key', key.token],
      ...['--blocks', '1', '--seed', '5', '--json'],
    );
    expect(ended.stderr).toMatch(/running as http:\S+\/experiments\/[0-9a-f-]{36}\n/);
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
    expect(ended.stderr).toMatch(/succeeded: 2 of 2 trials/);
    const { items } = await listExperiments(team, { limit: 10 });
    expect(items).toMatchObject([{ title: 'tiny', state: 'succeeded', createdBy: expect.stringContaining('editor') }]);
  });

  it('ends with 1 and a sentence where the key may not, or does not hold any more; nothing is stored', async () => {
    const before = (await listPipelines(team, { limit: 10 })).items.length;
    const viewer = await makeKey('viewer');
    const look = await inferloom('run', file, '--server', api.url, '--api-key', viewer.token);
    expect([look.code, look.stdout]).toEqual([1, '']);
    expect(look.stderr).toContain('the server says: This needs the role editor; yours is viewer.');
    const revoked = await makeKey('editor');
    await revokeToken(team, revoked.id, 'api_key');
    const ended = await inferloom('run', file, '--server', api.url, '--api-key', revoked.token);
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain('unknown, expired or revoked');
    expect((await listPipelines(team, { limit: 10 })).items).toHaveLength(before);
  });

  it('says when the address is none, nobody answers there, or the key is missing', async () => {
    const none = await inferloom('run', file, '--server', 'nowhere', '--api-key', 'k');
    expect([none.code, none.stderr.includes('is not a URL')]).toEqual([2, true]);
    const silent = await inferloom('run', file, '--server', 'http://127.0.0.1:9', '--api-key', 'k');
    expect([silent.code, silent.stderr.includes('http://127.0.0.1:9 does not answer')]).toEqual([1, true]);
    expect((await inferloom('run', file, '--server', api.url)).code).toBe(2);
  });
});

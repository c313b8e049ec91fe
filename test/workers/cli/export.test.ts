import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { EXPORTERS } from '@/server/core/exporters/index';
import { serializePipeline } from '@/server/core/pipeline/parse';
import { node, serving } from '@/test/fixtures/pipelines';
import { exportVerb } from '@/workers/cli/export';
import { ExitError } from '@/workers/cli/verb';

let folder: string;
let printed: string;
let said: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'inferloom-cli-'));
  printed = '';
  said = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += text;
    return true;
  });
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    said += text;
    return true;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

/** Runs `export` in this process; returns its exit code as main.ts would set it. */
async function run(...args: string[]): Promise<number> {
  const before = process.exitCode;
  process.exitCode = undefined;
  const command = new Command('export').exitOverride();
  exportVerb.describe(command);
  try {
    await command.parseAsync(args, { from: 'user' });
    return Number(process.exitCode ?? 0);
  } catch (error) {
    if (error instanceof ExitError) return error.exitCode;
    throw error;
  } finally {
    process.exitCode = before;
  }
}

function twoDeployments(): string {
  const nodes = [
    node('threads', 'threads', { threads: 2 }),
    node('dep', 'deployment', { baseline: true }),
    node('two', 'deployment'),
  ];
  const edges = ['model.weights > dep.serving', 'model.weights > threads.serving', 'threads.serving > two.serving'];
  const path = join(folder, 'pipeline.json');
  writeFileSync(path, serializePipeline(serving(nodes, edges)));
  return path;
}

describe('export', () => {
  it('lists the forms', async () => {
    expect(await run('--list', '--json')).toBe(0);
    expect(JSON.parse(printed).map((form: { id: string }) => form.id)).toEqual(EXPORTERS.map(({ id }) => id));
  });

  it('prints one deployment raw, and all of them as a document', async () => {
    expect(await run(twoDeployments(), '--format', 'llama-server', '--deployment', 'two')).toBe(0);
    expect(printed).toMatch(/^#!\/usr\/bin\/env bash\n/);
    expect(printed).toMatch(/--threads 2 +# threads, node threads/);
    printed = '';
    expect(await run(twoDeployments(), '--format', 'llama-server', '--json')).toBe(0);
    const { files, findings } = JSON.parse(printed);
    expect(files.map((f: { path: string }) => f.path)).toEqual(['dep/llama-server.sh', 'two/llama-server.sh']);
    expect(findings.every((f: { severity: string }) => f.severity !== 'error')).toBe(true);
  });

  it('writes files, scripts executable', async () => {
    const out = join(folder, 'out');
    expect(await run(twoDeployments(), '--format', 'llama-server', '--deployment', 'two', '--out', out)).toBe(0);
    expect(statSync(join(out, 'llama-server.sh')).mode & 0o111).not.toBe(0);
    expect(await run(twoDeployments(), '--format', 'docker-compose', '--deployment', 'two', '--out', out)).toBe(0);
    expect(readFileSync(join(out, 'compose.yaml'), 'utf8')).toMatch(/^services:$/m);
    expect(said).toMatch(/Wrote .*compose\.yaml/);
  });

  it('answers no, with the reason, where a plan has no such form', async () => {
    expect(await run(twoDeployments(), '--format', 'vllm-serve', '--deployment', 'two', '--json')).toBe(1);
    const { files, findings } = JSON.parse(printed);
    expect(files).toEqual([]);
    expect(findings.map((f: { code: string }) => f.code)).toEqual(['export-refused']);
  });

  it.each([
    [[], 'no file'],
    [['FILE'], 'no format'],
    [['FILE', '--format', 'helm'], 'an unknown format'],
    [['FILE', '--format', 'llama-server', '--deployment', 'nobody'], 'an unknown deployment'],
    [['/nowhere.json', '--format', 'llama-server'], 'an unreadable file'],
  ])('calls %j wrong usage: %s', async (args) => {
    const file = twoDeployments();
    expect(await run(...args.map((word) => (word === 'FILE' ? file : word)))).toBe(2);
    expect(printed).toBe('');
    expect(existsSync(join(folder, 'out'))).toBe(false);
  });
});

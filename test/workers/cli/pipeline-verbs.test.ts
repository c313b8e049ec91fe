import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { NODE_TYPES } from '@/server/core/catalog/index';
import { EXAMPLES } from '@/server/core/pipeline/examples';
import { serializePipeline } from '@/server/core/pipeline/parse';
import { node, pipeline } from '@/test/fixtures/pipelines';
import { catalog } from '@/workers/cli/catalog';
import { compile } from '@/workers/cli/compile';
import { examples } from '@/workers/cli/examples';
import { validate } from '@/workers/cli/validate';
import { ExitError, type Verb } from '@/workers/cli/verb';

let folder: string;
let printed: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'inferloom-cli-'));
  printed = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += text;
    return true;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

/** Runs a verb in this process; returns its exit code as main.ts would set it. */
async function run(verb: Verb, ...args: string[]): Promise<number> {
  const before = process.exitCode;
  process.exitCode = undefined;
  const command = new Command(verb.name).exitOverride();
  verb.describe(command);
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

const file = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};
const demo = () => file('demo.json', serializePipeline(EXAMPLES[0]?.pipeline ?? pipeline([], [])));
const broken = () =>
  file('broken.json', serializePipeline(pipeline([node('dep', 'deployment'), node('x', 'alien')], [])));

describe('examples', () => {
  it('names files that validate', async () => {
    expect(await run(examples, '--json')).toBe(0);
    const list: { id: string; title: string; path: string }[] = JSON.parse(printed);
    expect(list[0]?.id).toBe('demo');
    for (const { path } of list) {
      printed = '';
      expect(await run(validate, path, '--json')).toBe(0);
      expect(JSON.parse(printed)).toMatchObject({ errors: 0 });
    }
  });
});

describe('catalog', () => {
  it('lists every type with ports, parameters and settings', async () => {
    expect(await run(catalog, '--json')).toBe(0);
    const list: Record<string, unknown>[] = JSON.parse(printed);
    expect(list.map((entry) => entry.type)).toEqual(NODE_TYPES.map((t) => t.type));
    const threads = list.find((entry) => entry.type === 'threads');
    expect(threads).toMatchObject({ family: 'serving', settings: ['threads'] });
    expect(threads?.params).toMatchObject([
      { name: 'threads', type: 'integer', unit: 'threads', min: 1, max: 1024, default: 1, kind: 'launch' },
    ]);
  });
});

describe('validate', () => {
  it('exits with 1 on error findings', async () => {
    expect(await run(validate, broken(), '--json')).toBe(1);
    const out = JSON.parse(printed);
    expect(out.errors).toBeGreaterThan(0);
    expect(out.findings.map((f: { nodeId: string }) => f.nodeId)).toEqual(expect.arrayContaining(['dep', 'x']));
    expect(Object.keys(out)).toEqual(['findings', 'errors', 'warnings', 'notChecked']);
  });

  it('takes any JSON, junk too', async () => {
    expect(await run(validate, file('junk.json', '[1, "two"]'), '--json')).toBe(1);
    expect(JSON.parse(printed).findings[0].code).toBe('not-a-pipeline');
  });

  it('exits with 2 on what it cannot read', async () => {
    expect(await run(validate, join(folder, 'missing.json'))).toBe(2);
    expect(await run(validate, file('text.json', 'no json'), '--json')).toBe(2);
    expect(printed).toBe('');
  });

  it('prints a line a finding for people', async () => {
    expect(await run(validate, broken())).toBe(1);
    expect(printed).toMatch(/error \[unknown-node-type] x\.type: /);
    expect(printed).toMatch(/\d+ errors, \d+ warnings, 0 not checked\n$/);
  });
});

describe('compile', () => {
  it('prints plans, the baseline and findings, the same bytes each time', async () => {
    const path = demo();
    expect(await run(compile, path, '--json')).toBe(0);
    const first = printed;
    printed = '';
    await run(compile, path, '--json');
    expect(printed).toBe(first);
    const { plans, baseline } = JSON.parse(first);
    expect(plans[0].deployment).toBe(baseline);
    expect(plans[0].argv).toEqual(plans[0].components[0].argv);
  });

  it('prints a command a plan for people, and exits with 1 on errors', async () => {
    expect(await run(compile, demo())).toBe(0);
    expect(printed).toContain('inferloom-engine --model inferloom-demo-f16.gguf');
    expect(await run(compile, broken())).toBe(1);
  });
});

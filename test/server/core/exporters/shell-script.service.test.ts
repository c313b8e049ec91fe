import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ENGINES } from '@/server/core/engines/index';
import { exportPlan } from '@/server/core/exporters/export-plans';
import { EXPORTERS } from '@/server/core/exporters/index';
import type { Plan } from '@/server/core/plan/plan';
import { compileDocument, node, planOf, serving } from '@/test/fixtures/pipelines';
import { randomServing } from '@/test/fixtures/random-serving';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'inferloom-export-'));
  // Stand-ins that print what bash hands them, each word ended by NUL.
  for (const name of ['llama-server', 'vllm', 'llama-quantize', 'cp', 'hf', 'convert_hf_to_gguf.py']) {
    const path = join(folder, name);
    const print = name === 'llama-server' || name === 'vllm' ? 'printf "%s\\0" "$@"' : ':';
    writeFileSync(path, `#!/bin/sh\n${print}\n`);
    chmodSync(path, 0o755);
  }
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs the exported script with stand-ins and returns the words that the engine got. */
function wordsOf(plan: Plan, id: string): string[] {
  const form = EXPORTERS.find((entry) => entry.id === id);
  if (form === undefined) throw new Error(`no exporter ${id}`);
  const script = exportPlan(plan, form, ENGINES).files[0]?.content ?? '';
  execFileSync('bash', ['-n'], { input: script });
  const env: NodeJS.ProcessEnv = {
    NODE_ENV: 'test',
    PATH: `${folder}:/usr/bin:/bin`,
    INFERLOOM_DIR: '/nowhere',
    INFERLOOM_SECRET_API_KEY: 'secret',
  };
  const out = execFileSync('bash', ['-s'], { input: script, env, cwd: folder, encoding: 'utf8' });
  return out.split('\0').slice(0, -1);
}

const FIXED = 5;

describe('exported scripts', () => {
  it('hand the engine exactly the words of the plan, whatever ids and paths hold', () => {
    let ran = 0;
    const before = readdirSync(folder).sort();
    fc.assert(
      fc.property(randomServing, (document) => {
        const plan = compileDocument(document).plans.find((p) => p.deployment === 'dep');
        const component = plan?.components[0];
        if (plan === undefined || component === undefined || component.runtime === 'embedded') return;
        const isVllm = component.engine === 'vllm';
        const words = wordsOf(plan, isVllm ? 'vllm-serve' : 'llama-server');
        const own = component.argv.slice(1);
        expect(words.slice(0, own.length)).toEqual(own);
        expect(words.length).toBe(own.length + (isVllm ? 4 : FIXED));
        ran += 1;
      }),
      { numRuns: 25, seed: 11 },
    );
    expect(ran).toBeGreaterThan(5);
    expect(readdirSync(folder).sort()).toEqual(before);
  });

  it.each(["/models/a b'$(touch pwned).gguf", '/models/x;touch pwned;.gguf', '/models/`touch pwned`"\\.gguf'])(
    'passes the path %s through unharmed',
    (path) => {
      const nodes = [
        node('engine', 'engine', { runtime: 'llama-server' }),
        node('model', 'model', { path }),
        node('dep', 'deployment'),
      ];
      const plan = planOf(serving(nodes, ['model.weights > dep.serving']));
      expect(wordsOf(plan, 'llama-server')).toContain(path);
      expect(readdirSync(folder)).not.toContain('pwned');
    },
  );

  it('stops where a secret is missing', () => {
    const nodes = [
      node('engine', 'engine', { runtime: 'llama-server' }),
      node('key', 'api-key', { secret: 'INFERLOOM_SECRET_OTHER' }),
      node('dep', 'deployment'),
    ];
    const plan = planOf(serving(nodes, ['model.weights > dep.serving', 'key.gateway > dep.gateway']));
    expect(() => wordsOf(plan, 'llama-server')).toThrow(/INFERLOOM_SECRET_OTHER/);
  });
});

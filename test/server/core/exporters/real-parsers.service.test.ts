import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Plan } from '@/server/core/plan/plan';
import type { Policies } from '@/server/core/plan/policies';
import { ENGINE_PLANS, recipePlan } from '@/test/fixtures/engine-plans';
import { exported } from '@/test/fixtures/export-form';
import { endpointPlan, POLICIES, vllmPlan, WORKLOAD, withArgument } from '@/test/fixtures/gateway-plans';

const has = (command: string, ...args: string[]): boolean => spawnSync(command, args).error === undefined;
const NGINX = has('nginx', '-v');
const SYSTEMD = has('systemd-analyze', '--version');
const PYTHON = has('python3', '--version');
/** Why a check did not run, in its name. */
const where = (there: boolean, what: string): string => (there ? '' : ` (skipped: this machine has no ${what})`);

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'inferloom-parsers-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function write(name: string, content: string): string {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
}

const SECRETS = {
  INFERLOOM_SECRET_WEB: 'web.key',
  INFERLOOM_SECRET_BATCH: 'batch-key',
  INFERLOOM_SECRET_API_KEY: 'own',
};
const CONTEXT = { workloads: [WORKLOAD], trial: null };

describe.skipIf(!NGINX)(`nginx -t${where(NGINX, 'nginx')}`, () => {
  const session: Policies = { ...POLICIES, routing: { nodeIds: ['r'], policy: 'session' } };
  it.each([
    ['everything set', vllmPlan(POLICIES)],
    ['a session', vllmPlan(session)],
    ['a server behind a path', endpointPlan('https://localhost:8443/a$b;{c}/v1')],
  ])('accepts %s, with the keys that the script writes', (title, plan) => {
    const name = title.replaceAll(' ', '-');
    const { files } = exported(plan, 'nginx-config');
    const keys = join(folder, name, 'keys');
    const script = write(`${name}/write-keys.sh`, files.find(({ path }) => path === 'write-keys.sh')?.content ?? '');
    const env = { NODE_ENV: 'test' as const, PATH: '/usr/bin:/bin', ...SECRETS, INFERLOOM_SECRET_UPSTREAM: 'up' };
    execFileSync('bash', [script, keys], { env });
    const conf =
      files.find(({ path }) => path === 'nginx.conf')?.content.replaceAll('/etc/nginx/inferloom', keys) ?? '';
    const checked = spawnSync(
      'nginx',
      ['-t', '-q', '-p', folder, '-c', write(`${name}/nginx.conf`, `pid ${folder}/pid;\n${conf}`)],
      {
        encoding: 'utf8',
      },
    );
    expect(
      checked.stderr.replace(/^.*could not open error log file.*$|^.*"user" directive makes sense.*$/gm, '').trim(),
    ).toBe('');
    expect(checked.status).toBe(0);
  });

  it('refuses a key that would break out of its line', () => {
    const script =
      exported(vllmPlan(POLICIES), 'nginx-config').files.find(({ path }) => path === 'write-keys.sh')?.content ?? '';
    const run = (key: string) =>
      spawnSync('bash', [write('odd.sh', script), join(folder, 'odd')], {
        env: { NODE_ENV: 'test', PATH: '/usr/bin:/bin', ...SECRETS, INFERLOOM_SECRET_WEB: key },
      }).status;
    expect([run('a"; return 200'), run('a b'), run(''), run('$x')]).toEqual([1, 1, 1, 1]);
    expect(run('fine-1')).toBe(0);
  });
});

describe.skipIf(!SYSTEMD)(`systemd-analyze verify${where(SYSTEMD, 'systemd')}`, () => {
  const units: [name: string, plan: Plan][] = [
    ['plain', vllmPlan()],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: systemd would expand it
    ['hostile', withArgument(vllmPlan(), 'a "b" $HOME ${X} %n ; \\ \n# c')],
    ...Object.entries(ENGINE_PLANS)
      .filter(([id]) => id !== 'onnxruntime-genai-build')
      .map(([id, make]): [string, Plan] => [id, make()]),
  ];
  it.each(units)('accepts %s', (name, plan) => {
    const unit = exported(plan, 'systemd-unit').files.find(({ path }) => path === 'llm.service')?.content ?? '';
    const path = write(`${name.replaceAll(/\W/g, '')}/llm.service`, unit);
    const checked = spawnSync('systemd-analyze', ['verify', path], { encoding: 'utf8' });
    expect(checked.stderr.split('\n').filter((line) => line.includes('llm.service'))).toEqual([]);
  });
});

describe('bash -n', () => {
  const plans = [
    ...Object.entries(ENGINE_PLANS).map(([id, make]) => [id, make()] as const),
    ['guidellm-benchmark', vllmPlan()],
    ['vllm-bench-serve', vllmPlan()],
    ['nginx-config', vllmPlan(POLICIES)],
    ['quantization-recipe', recipePlan('awq', { tool: 'llm-compressor' })],
    ['quantization-recipe', recipePlan('gguf-quantization', { type: 'Q4_K_M' }, 'llama.cpp', 'Llama-3.1-8B')],
    ['ollama-modelfile', recipePlan('gguf-quantization', { type: 'Q4_K_M' }, 'llama.cpp')],
  ] as const;

  it.each(plans)('reads every script of %s', (id, plan) => {
    const scripts = exported(plan, id, CONTEXT).files.filter(({ path }) => path.endsWith('.sh'));
    expect(scripts.length).toBeGreaterThan(0);
    for (const { content } of scripts) execFileSync('bash', ['-n'], { input: content });
  });

  it('runs the GuideLLM script: a stand-in gets JSON with the address and the key', () => {
    const stub = write('bin/guidellm', '#!/bin/sh\nprintf "%s\\n" "$3"\n');
    execFileSync('chmod', ['755', stub]);
    const [script] = exported(vllmPlan(), 'guidellm-benchmark', CONTEXT).files;
    const env = {
      NODE_ENV: 'test' as const,
      PATH: `${dirname(stub)}:/usr/bin:/bin`,
      ...SECRETS,
      BASE_URL: 'http://other:1/a&b',
    };
    const out = execFileSync('bash', ['-s'], { input: script?.content ?? '', env, encoding: 'utf8' });
    expect(JSON.parse(out.split('\n')[0] ?? '')).toMatchObject({ target: 'http://other:1/a&b', api_key: 'own' });
  });
});

describe.skipIf(!PYTHON)(`python3${where(PYTHON, 'Python')}`, () => {
  it.each([
    ['awq', recipePlan('awq', { tool: 'llm-compressor' })],
    ['awq by AutoAWQ', recipePlan('awq', { tool: 'autoawq' })],
    ['int8', recipePlan('int8-w8a8', {})],
    ['fp8', recipePlan('fp8', {})],
    ['nvfp4', recipePlan('nvfp4', {})],
    ['gptq', recipePlan('gptq', { tool: 'gptqmodel' })],
    ['gptq by AutoRound', recipePlan('gptq', { tool: 'auto-round' })],
    ['nf4', recipePlan('bitsandbytes-nf4', {})],
    ['2:4', recipePlan('sparse-pruning', {})],
  ])('compiles the recipe for %s', (_, plan) => {
    const scripts = exported(plan, 'quantization-recipe').files.filter(({ path }) => path.endsWith('.py'));
    expect(scripts.length).toBeGreaterThan(0);
    for (const { content } of scripts) {
      execFileSync('python3', ['-c', 'import sys; compile(sys.stdin.read(), "recipe.py", "exec")'], { input: content });
    }
    expect(existsSync(join(folder, 'weights'))).toBe(false);
  });
});

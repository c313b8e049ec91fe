import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { ENGINES } from '@/server/core/engines/index';
import { oneLine } from '@/server/core/exporters/comment';
import { exportPlan, exportPlans, folderOf } from '@/server/core/exporters/export-plans';
import type { Exporter } from '@/server/core/exporters/exporter';
import { EXPORTERS } from '@/server/core/exporters/index';
import { applyEdits } from '@/server/core/pipeline/apply-edits';
import type { Plan } from '@/server/core/plan/plan';
import { SCOPES, SETTING_NAMES } from '@/server/core/plan/settings';
import { compileDocument, node, planOf, serving } from '@/test/fixtures/pipelines';
import { randomServing } from '@/test/fixtures/random-serving';

/** Forms that start the server themselves; the others stand beside it. */
const launches = ({ group }: Exporter): boolean => ['command line', 'container', 'cluster'].includes(group);

const exporter = (id: string) => {
  const found = EXPORTERS.find((entry) => entry.id === id);
  if (found === undefined) throw new Error(`no exporter ${id}`);
  return found;
};
const content = (plan: Plan, id: string): string => exportPlan(plan, exporter(id), ENGINES).files[0]?.content ?? '';

const tuned = (engine: Record<string, unknown>, device: string) =>
  serving(
    [
      node('engine', 'engine', engine),
      node('cpu', 'hardware', { device, pricePerHourUsd: 1 }),
      node('q4', 'gguf-quantization', { type: 'Q4_K_M' }),
      node('flash', 'flash-attention', { state: 'on' }),
      node('kv', 'kv-cache-type', { key: 'Q8_0', value: 'Q8_0' }),
      node('window', 'sink-window', { sinkTokens: 4 }),
      node('greedy', 'sampling', { temperature: 0 }),
      node('draft', 'model', { model: 'inferloom-demo-draft' }),
      node('spec', 'draft-speculation', { k: 4 }),
      node('many', 'parallel-sequences', { sequences: 8 }),
      node('chunk', 'prefill-chunk', { tokens: 64 }),
      node('queue', 'request-queue', { limit: 16 }),
      node('key', 'api-key', { secret: 'INFERLOOM_SECRET_DEMO' }),
      node('dep', 'deployment', { name: 'Tuned' }),
    ],
    [
      'model.weights > q4.weights',
      'q4.weights > flash.serving',
      'flash.serving > kv.serving',
      'kv.serving > window.serving',
      'window.serving > greedy.serving',
      'greedy.serving > spec.serving',
      'draft.weights > spec.draft',
      'spec.serving > many.serving',
      'many.serving > chunk.serving',
      'chunk.serving > dep.serving',
      'queue.gateway > key.gateway',
      'key.gateway > dep.gateway',
    ],
  );

const embedded = planOf(tuned({ engine: 'llama.cpp', runtime: 'embedded' }, 'cpu-local'));
const gpu = planOf(
  serving(
    [
      node('model', 'model', { model: 'Llama-3.1-8B', revision: '0e9e39f249a16976918f6564b8830bc894c89659' }),
      node('engine', 'engine', { engine: 'vllm' }),
      node('cpu', 'hardware', { device: 'H100-SXM', count: 2 }),
      node('flash', 'flash-attention', { state: 'on' }),
      node('kv', 'kv-cache-type', { key: 'FP8', value: 'FP8' }),
      node('lookup', 'prompt-lookup', { k: 4, min: 2, max: 4 }),
      node('many', 'parallel-sequences', { sequences: 64 }),
      node('chunk', 'prefill-chunk', { tokens: 512 }),
      node('key', 'api-key'),
      node('dep', 'deployment', { name: 'vLLM FP8 cache' }),
    ],
    [
      'model.weights > flash.serving',
      'flash.serving > kv.serving',
      'kv.serving > lookup.serving',
      'lookup.serving > many.serving',
      'many.serving > chunk.serving',
      'chunk.serving > dep.serving',
      'key.gateway > dep.gateway',
    ],
  ),
);

describe('golden files', () => {
  it.each([
    ['llama-server.sh', embedded, 'llama-server'],
    ['llama-server.compose.yaml', embedded, 'docker-compose'],
    ['vllm-serve.sh', gpu, 'vllm-serve'],
    ['vllm.compose.yaml', gpu, 'docker-compose'],
  ])('%s', async (file, plan, id) => {
    await expect(content(plan, id)).toMatchFileSnapshot(`../../../golden/exports/${file}`);
    expect(content(plan, id)).toBe(content(plan, id));
  });

  it('name what llama-server has no form for', () => {
    const { findings } = exportPlan(embedded, exporter('llama-server'), ENGINES);
    const missing = findings.filter((f) => f.code === 'not-in-manifest');
    expect(missing.map((f) => [f.nodeId, f.field, f.severity])).toEqual([['queue', 'limit', 'warning']]);
    expect(missing[0]?.message).toMatch(/queueLimit 16 is not in the file: .*gateway/);
  });

  it('reserve devices by vendor and keep secrets as references', () => {
    const nvidia = parse(content(gpu, 'docker-compose'));
    expect(nvidia.services.llm.deploy.resources.reservations.devices).toEqual([
      { driver: 'nvidia', count: 2, capabilities: ['gpu'] },
    ]);
    expect(nvidia.services.llm.environment).toEqual({
      // biome-ignore lint/suspicious/noTemplateCurlyInString: Compose fills it in
      VLLM_API_KEY: '${INFERLOOM_SECRET_API_KEY:?set it to the secret}',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: Compose fills it in
      HF_TOKEN: '${HF_TOKEN:-}',
    });
    expect(nvidia.services.llm.image).toBe('vllm/vllm-openai:v0.28.0');
    const server = { engine: 'llama.cpp', runtime: 'llama-server' };
    const simple = (device: string) =>
      planOf(
        serving(
          [node('engine', 'engine', server), node('cpu', 'hardware', { device }), node('dep', 'deployment')],
          ['model.weights > dep.serving'],
        ),
      );
    const amd = parse(content(simple('MI300X'), 'docker-compose'));
    expect(amd.services.llm.devices).toEqual(['/dev/kfd', '/dev/dri']);
    expect(amd.services.llm.image).toBe('ghcr.io/ggml-org/llama.cpp:server-rocm-b10573');
    const other = exportPlan(simple('Gaudi3'), exporter('docker-compose'), ENGINES);
    expect(other.findings.map((f) => f.code)).toContain('no-device-reservation');
    const cpu = parse(content(simple('cpu-local'), 'docker-compose'));
    expect(cpu.services.llm.deploy).toBeUndefined();
    expect(cpu.services.llm.ports).toEqual(['127.0.0.1:8080:8080']);
    expect(cpu.services.llm.command).toContain('/models/inferloom-demo-f16.gguf');
  });
});

describe('refusals', () => {
  it('come as findings, with no file', () => {
    const { files, findings } = exportPlan(embedded, exporter('vllm-serve'), ENGINES);
    expect(files).toEqual([]);
    expect(findings).toMatchObject([{ severity: 'error', code: 'export-refused', nodeId: 'dep' }]);
    expect(findings[0]?.message).toMatch(/is for vllm; dep runs llama\.cpp/);
  });

  it('cover endpoints and versions without an image', () => {
    const component = embedded.components[0];
    if (component === undefined) throw new Error('no component');
    const endpoint = { url: 'http://x', model: null, apiKeySecret: null };
    const running = { ...embedded, components: [{ ...component, endpoint }] };
    for (const form of EXPORTERS.filter(launches)) {
      expect(form.refusal(running)).toMatch(form.id === 'skypilot' ? /one image/ : /runs already/);
    }
    const odd = { ...embedded, components: [{ ...component, runtime: 'llama-server', engineVersion: 'v0.6.0' }] };
    const { files, findings } = exportPlan(odd, exporter('docker-compose'), ENGINES);
    expect(files).toEqual([]);
    expect(findings.map((f) => f.code)).toContain('no-image');
  });
});

describe('a setting that another engine takes', () => {
  it('comes with a quick fix that moves the deployment there', () => {
    const nodes = [
      node('model', 'model', { model: 'Llama-3.1-8B' }),
      node('engine', 'engine', { engine: 'vllm', version: '0.28.0' }),
      node('q4', 'gguf-quantization', { type: 'Q4_K_M', source: 'checkpoint' }),
      node('dep', 'deployment'),
    ];
    const document = serving(nodes, ['model.weights > q4.weights', 'q4.weights > dep.serving']);
    const refused = compileDocument(document).findings.find((f) => f.code === 'setting-unsupported');
    expect(refused).toMatchObject({ nodeId: 'q4', field: 'type', fix: { label: 'Run it on llama.cpp' } });
    const fixed = applyEdits(document, refused?.fix?.edits ?? []);
    expect(compileDocument(fixed).plans.find((p) => p.deployment === 'dep')?.argv).toContain('--model');
  });
});

/** Where a reader of the file finds one setting of the plan: an origin, the request line, the defaults, or a finding. */
function isFound(plan: Plan, text: string, messages: readonly string[], name: string): boolean {
  const resolved = plan.settings[name];
  return (
    text.includes(`${name}, `) ||
    text.includes(`${name} ${JSON.stringify(resolved?.asked)}`) ||
    messages.some((message) => message.startsWith(`${name} `)) ||
    Object.keys(plan.request).some((field) => text.includes(`"${field}":`) && isRequestField(name, field))
  );
}
const isRequestField = (name: string, field: string): boolean => field.replaceAll('_', '') === name.toLowerCase();

/** Every setting that somebody asked for, as it is named in the plan. */
const askedNames = (plan: Plan): string[] =>
  SCOPES.flatMap((s) => SETTING_NAMES.map((n) => (s === 'target' ? n : `${s}.${n}`))).filter(
    (name) => (plan.settings[name]?.asked ?? null) !== null,
  );

function expectReadableCompose(text: string): void {
  const [compose, ...more] = parseAllDocuments(text);
  expect(more).toEqual([]);
  if (compose === undefined || !('errors' in compose)) throw new Error('no document');
  expect(compose.errors).toEqual([]);
  expect(compose.toJS().services.llm.command.every((word: unknown) => typeof word === 'string')).toBe(true);
}

describe('any plan', () => {
  it('loses no setting on the way to any manifest, and every manifest can be read', () => {
    let written = 0;
    fc.assert(
      fc.property(randomServing, (document) => {
        const plan = compileDocument(document).plans.find((p) => p.deployment === 'dep');
        if (plan === undefined) return;
        for (const form of EXPORTERS.filter((entry) => launches(entry) && entry.supports(plan))) {
          const { files, findings } = exportPlan(plan, form, ENGINES);
          const text = files.map(({ content: part }) => part).join('\n');
          const messages = findings.map((f) => f.message);
          expect(askedNames(plan).filter((name) => !isFound(plan, text, messages, name))).toEqual([]);
          if (form.id === 'docker-compose') expectReadableCompose(files[0]?.content ?? '');
          written += 1;
        }
      }),
      { numRuns: 25, seed: 7 },
    );
    expect(written).toBeGreaterThan(20);
  });
});

describe('several plans', () => {
  it('get a folder each, whose name leads nowhere else', () => {
    const other = { ...embedded, deployment: '../../etc[type=Q4]' };
    const { files } = exportPlans(
      [embedded, other, { ...other, deployment: '../../etc(type=Q4)' }],
      exporter('llama-server'),
      ENGINES,
    );
    expect(files.map((f) => f.path)).toEqual([
      'dep/llama-server.sh',
      '_etc_type=Q4_/llama-server.sh',
      '_etc_type=Q4_-2/llama-server.sh',
    ]);
    expect(folderOf('..')).toBe('_');
  });

  it('keep comments on one line', () => {
    expect(oneLine('a\nrm -rf ~\r\u2028\u0000b')).toBe('a rm -rf ~ b');
  });
});

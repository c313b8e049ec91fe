import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ENGINES } from '@/server/core/engines/index';
import { EXPORTERS } from '@/server/core/exporters/index';
import { listenArgs } from '@/server/core/exporters/listen-args';
import { policyEntries } from '@/server/core/exporters/policies-left-out';
import type { Finding } from '@/server/core/plan/finding';
import type { Plan } from '@/server/core/plan/plan';
import type { Policies } from '@/server/core/plan/policies';
import { REQUEST_SETTINGS, SCOPES, SETTING_NAMES } from '@/server/core/plan/settings';
import { exported } from '@/test/fixtures/export-form';
import { POLICIES, vllmPlan } from '@/test/fixtures/gateway-plans';
import { containerWords } from '@/test/fixtures/manifest-words';
import { compileDocument } from '@/test/fixtures/pipelines';
import { type Place, randomGraph } from '@/test/fixtures/random-catalog';
import { checkFile } from '@/test/schemas/check-file';

const CLUSTER = EXPORTERS.filter(({ group }) => group === 'cluster' || group === 'container');

const PLACES: readonly Place[] = [
  { engine: 'vllm', runtime: null, devices: ['H100-SXM', 'MI300X'], models: ['Llama-3.1-8B', 'Qwen3-30B-A3B'] },
  { engine: 'sglang', runtime: null, devices: ['H100-SXM', 'L40S'], models: ['Llama-3.1-8B', 'DeepSeek-V3'] },
  { engine: 'tensorrt-llm', runtime: null, devices: ['H100-SXM', 'B200-SXM'], models: ['Llama-3.1-8B'] },
  { engine: 'tgi', runtime: null, devices: ['H100-SXM'], models: ['Llama-3.1-8B'] },
  { engine: 'lmdeploy', runtime: null, devices: ['A100-80GB-SXM'], models: ['Llama-3.1-8B'] },
  { engine: 'llama.cpp', runtime: 'llama-server', devices: ['cpu-local', 'RTX-4090'], models: ['inferloom-demo'] },
];

/** Every setting that somebody asked for, as it is named in the plan. */
const askedNames = (plan: Plan): string[] =>
  SCOPES.flatMap((scope) => SETTING_NAMES.map((name) => (scope === 'target' ? name : `${scope}.${name}`))).filter(
    (name) => (plan.settings[name]?.asked ?? null) !== null,
  );

const bare = (name: string): string => name.replace(/^(prefill|decode)\./, '');

/** Where a reader finds one setting: an origin, the request line, the defaults, or a finding. */
function isFound(plan: Plan, text: string, findings: readonly Finding[], name: string): boolean {
  const { origin, field } = plan.settings[name] ?? {};
  const messages = findings.map(({ message }) => message);
  const asked = JSON.stringify(plan.settings[name]?.asked);
  const names = [name, bare(name)];
  return (
    names.some((entry) => text.includes(`${entry}, `) || text.includes(`${entry} ${asked}`)) ||
    names.some((entry) => messages.some((message) => message.startsWith(`${entry} `))) ||
    findings.some((f) => f.code === 'caution' && f.nodeId === origin && f.field === field) ||
    (REQUEST_SETTINGS.some((entry) => entry === name) && text.includes(JSON.stringify(plan.request)))
  );
}

/** The words of a plan as its container takes them: secrets by variable, files where they are mounted. */
const asContainer = (word: string): string =>
  word.replace(/^\$(INFERLOOM_SECRET_\w+)$/, '$($1)').replace(/^([^/]*\.gguf)$/i, '/models/$1');

describe.each(PLACES)('random plans of $engine', (place) => {
  it('come out whole in every cluster form that takes them', () => {
    let forms = 0;
    fc.assert(
      fc.property(randomGraph(place, 2), (document) => {
        const plan = compileDocument(document).plans.find((p) => p.deployment === 'dep');
        if (plan === undefined) return;
        for (const { id } of CLUSTER.filter((form) => form.supports(plan))) {
          const { files, findings } = exported(plan, id);
          const text = files.map(({ content }) => content).join('\n');
          expect(files.flatMap((file) => checkFile(id, file))).toEqual([]);
          expect(text).not.toMatch(/:latest\b/);
          expect(askedNames(plan).filter((name) => !isFound(plan, text, findings, name))).toEqual([]);
          forms += 1;
        }
        expectArguments(plan);
      }),
      { numRuns: 60, seed: 11, endOnFailure: true },
    );
    expect(forms).toBeGreaterThan(10);
  });
});

/** The container of a Kubernetes manifest gets the plan's arguments word by word, and the fixed ones behind them. */
function expectArguments(plan: Plan): void {
  const [component, ...others] = plan.components;
  const engine = ENGINES.find(({ id }) => id === component?.engine);
  const [file] = exported(plan, 'kubernetes').files;
  if (file === undefined || component === undefined || engine === undefined || others.length > 0) return;
  const fixed = listenArgs(engine, component.args).flatMap(({ flag, value }) =>
    value === null ? [flag] : [flag, value],
  );
  const isImages = engine.id === 'llama.cpp' || engine.id === 'tgi';
  const argv = isImages ? component.argv.slice(engine.command(component.runtime).length) : component.argv;
  expect(containerWords(file.content, 'server')[0]?.slice(0, argv.length + fixed.length)).toEqual([
    ...argv.map(asContainer),
    ...fixed,
  ]);
}

const SAID = new Set(['not-in-manifest', 'held-otherwise']);

describe('policies', () => {
  const OTHERS: Readonly<Record<string, unknown>> = { 'least-loaded': 'round-robin', queueLength: 'runningRequests' };
  const changedValue = (value: unknown): unknown =>
    typeof value === 'number' ? value + 1 : typeof value === 'string' ? (OTHERS[value] ?? value) : null;

  /** The policies with one entry changed, or taken out of its list. */
  function changed(path: string): Policies {
    const copy = structuredClone(POLICIES) as unknown as Record<string, Record<string, unknown>>;
    const [, part = '', field = '', index] = /^(\w+)\.(\w+)(?:\[(\d+)\])?$/.exec(path) ?? [];
    const policy = copy[part] ?? {};
    const value = policy[field];
    if (Array.isArray(value)) policy[field] = index === undefined ? [] : value.filter((_, i) => i !== Number(index));
    else policy[field] = changedValue(value);
    return copy as unknown as Policies;
  }

  const cases = CLUSTER.filter((form) => form.supports(vllmPlan(POLICIES))).flatMap(({ id }) =>
    policyEntries(POLICIES).map(({ path }) => [id, path] as const),
  );

  it.each(cases)('%s holds %s or says that it does not', (id, path) => {
    const all = exported(vllmPlan(POLICIES), id);
    const less = exported(vllmPlan(changed(path)), id);
    // A value may be held where another is not: Compose starts one copy, no more.
    const says = [all, less].some(({ findings }) =>
      findings.some(({ code, message }) => SAID.has(code) && message.startsWith(path)),
    );
    const bodies = [all, less].map(({ files }) => files.map(({ content }) => content.replace(/^# .*$/gm, '')).join());
    expect(says || bodies[0] !== bodies[1]).toBe(true);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { findFlag } from '@/server/core/engines/flag';
import { tensorrtLlm } from '@/server/core/engines/tensorrt-llm';
import { nestEntries } from '@/server/core/exporters/serving/config-file';
import type { Plan } from '@/server/core/plan/plan';
import { bashArrays, bashWords } from '@/test/fixtures/bash-words';
import { ENGINE_PLANS } from '@/test/fixtures/engine-plans';
import { exported, fileOf, formOf } from '@/test/fixtures/export-form';
import { POLICIES, withArgument } from '@/test/fixtures/gateway-plans';
import { node, planOf, serving } from '@/test/fixtures/pipelines';

const scriptOf = (plan: Plan, id: string): string =>
  exported(plan, id).files.find(({ path }) => path.endsWith('.sh'))?.content ?? '';

describe.each(Object.entries(ENGINE_PLANS))('%s', (id, make) => {
  it('is the golden file, twice the same', async () => {
    await expect(scriptOf(make(), id)).toMatchFileSnapshot(`../../../golden/exports/simple.${id}.sh`);
    expect(scriptOf(make(), id)).toBe(scriptOf(make(), id));
  });

  it("starts the engine's own command with the words of the plan first", () => {
    const plan = make();
    const script = scriptOf(plan, id);
    const [words = []] = bashArrays(script, {});
    const argv = plan.components[0]?.argv ?? [];
    const command = /^exec (.*) "\$\{args\[@\]\}"$/m.exec(script)?.[1]?.split(' ') ?? [];
    expect([...command, ...words].slice(0, argv.length)).toEqual(argv);
  });

  it('hands any raw argument over as it is, and on one line', () => {
    const odd = fc.constantFrom(
      'a b',
      "'",
      '"',
      '$(id)',
      '`id`',
      '\\',
      '%n',
      ';',
      '\n# x',
      '#',
      '{"a":"b c"}',
      '!x',
      '*',
      '\t',
    );
    fc.assert(
      fc.property(fc.oneof(fc.string(), odd), (text) => {
        const value = text.replaceAll('\u0000', '');
        const script = scriptOf(withArgument(make(), value), id);
        const line = script.slice(script.indexOf('--served-model-name ')).split(' # node raw')[0] ?? '';
        expect(bashWords(line)).toEqual(['--served-model-name', value]);
      }),
      { numRuns: 40, seed: 3 },
    );
  });

  it('says of every policy that nothing stands before the server', () => {
    const { findings } = exported({ ...make(), policies: POLICIES }, id);
    expect(findings.filter(({ message }) => /^(gateway|scaling|routing)\./.test(message))).toHaveLength(18);
  });

  it('is for its own engine', () => {
    const other = Object.entries(ENGINE_PLANS).find(([form]) => form !== id)?.[1]();
    if (other === undefined) throw new Error('no other plan');
    expect(formOf(id).refusal(other)).toMatch(/ is for /);
  });
});

describe('the YAML file of TensorRT-LLM', () => {
  const plan = (): Plan =>
    planOf(
      serving(
        [
          node('model', 'model', { model: 'Llama-3.1-8B' }),
          node('engine', 'engine', { engine: 'tensorrt-llm' }),
          node('cpu', 'hardware', { device: 'H100-SXM', count: 1 }),
          node('kv', 'kv-cache-type', { key: 'FP8', value: 'FP8' }),
          node('cache', 'prefix-caching', { state: 'off' }),
          node('dep', 'deployment', { name: 'trt' }),
        ],
        ['model.weights > kv.serving', 'kv.serving > cache.serving', 'cache.serving > dep.serving'],
      ),
    );

  it('lies beside the script, which names it; each value has its origin', async () => {
    const yaml = fileOf(plan(), 'trtllm-serve', 'tensorrt-llm.yaml');
    await expect(yaml).toMatchFileSnapshot('../../../golden/exports/tensorrt-llm.yaml');
    expect(parseYaml(yaml).kv_cache_config).toMatchObject({ dtype: 'fp8', enable_block_reuse: false });
    expect(yaml).toMatch(/dtype: fp8 # kvCacheKeyType, node kv/);
    const script = scriptOf(plan(), 'trtllm-serve');
    expect(bashArrays(script, {})[0]?.join(' ')).toContain('--config tensorrt-llm.yaml');
    expect(script).toMatch(/^cd -- /m);
    const unit = fileOf(plan(), 'systemd-unit', 'llm.service');
    expect(unit).toContain('--config /etc/inferloom/tensorrt-llm.yaml');
    expect(fileOf(plan(), 'systemd-unit', 'tensorrt-llm.yaml')).toContain('dtype: fp8');
  });

  it('has only options that the facts know for this engine', () => {
    const known = tensorrtLlm.flags;
    if (known === null) throw new Error('no flags');
    const paths = (value: unknown, at: string): string[] =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.entries(value).flatMap(([key, inner]) => paths(inner, at === '' ? key : `${at}.${key}`))
        : [at];
    const found = paths(parseYaml(fileOf(plan(), 'trtllm-serve', 'tensorrt-llm.yaml')), '');
    expect(found.length).toBeGreaterThan(1);
    expect(found.filter((path) => findFlag(known, path) === null)).toEqual([]);
  });

  it('says where two entries want one place', () => {
    const entry = { path: 'a.b', setting: null, scope: 'target' as const, nodeId: 'n', note: null };
    const { tree, findings } = nestEntries([
      { ...entry, value: 1 },
      { ...entry, value: 2 },
      { ...entry, path: 'a.c', value: [1] },
    ]);
    expect(tree).toEqual({ a: { b: 2, c: [1] } });
    expect(findings).toMatchObject([{ code: 'config-clash', nodeId: 'n' }]);
  });
});

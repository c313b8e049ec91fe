import { describe, expect, it } from 'vitest';
import { describeParams } from '@/server/core/catalog/param';
import { RECIPE_TOOL_IDS, RECIPE_TOOLS, type RecipeTool, type RecipeToolId } from '@/server/core/catalog/recipe-tools';
import { TECHNIQUES } from '@/server/core/catalog/techniques/index';
import { validateParams } from '@/server/core/catalog/validate-params';
import { node } from '@/test/fixtures/pipelines';
import { at, typeOf } from '@/test/fixtures/technique';

const toolOf = (id: string): RecipeTool => RECIPE_TOOLS[id as RecipeToolId];

describe('checkpoints', () => {
  const quantizers = TECHNIQUES.filter((type) => type.checkpoint);

  it.each(quantizers.map((type) => [type.type, type] as const))('%s: each source says what it needs', (_, type) => {
    const sources = describeParams(type).find((p) => p.name === 'source')?.options ?? [];
    expect(sources.length).toBeGreaterThan(0);
    for (const source of sources) {
      const params = type.params.parse({ source });
      const request = type.checkpoint?.(params as never);
      expect(request?.source).toBe(source);
      expect(request?.tool !== null).toBe(source === 'recipe');
      if (source !== 'recipe') expect(request?.options).toBeUndefined();
    }
  });

  it('offers only tools that make the scheme', () => {
    for (const type of quantizers) {
      const tools = describeParams(type).find((p) => p.name === 'tool')?.options ?? [];
      for (const tool of tools) {
        expect(RECIPE_TOOL_IDS).toContain(tool);
        const params = { source: 'recipe', tool };
        const { weightsFormat = 'safetensors:pruned' } = at(type.type, params).settings;
        const [container, scheme] = String(weightsFormat).split(':');
        const isMade = toolOf(tool).makes.includes((container === 'gguf' ? 'gguf' : scheme) as never);
        const faults = type.faults?.(type.params.parse(params) as never) ?? [];
        expect(isMade || faults.some((fault) => fault.field === 'tool'), `${type.type} by ${tool}`).toBe(true);
      }
    }
  });

  it('knows repositories of the right kind among those under one key', () => {
    const pick = (type: string, params: Record<string, unknown>, repos: string[]) => {
      const { knownMatching } = at(type, params).checkpoint ?? {};
      return repos.filter((repo) => knownMatching?.test(repo) ?? true);
    };
    const gptq = [
      'Qwen/Qwen2.5-7B-Instruct-GPTQ-Int4',
      'Qwen/Qwen2.5-7B-Instruct-GPTQ-Int8',
      'TheBloke/Llama-2-7B-Chat-GPTQ',
    ];
    expect(pick('gptq', { bits: '8' }, gptq)).toEqual([gptq[1]]);
    expect(pick('gptq', { bits: '4' }, gptq)).toEqual([gptq[0], gptq[2]]);
    const fp8 = ['Qwen/Qwen3-8B-FP8', 'nvidia/Llama-3.1-8B-Instruct-FP8'];
    expect(pick('fp8', { scales: 'block' }, fp8)).toEqual([fp8[0]]);
    expect(pick('fp8', { scales: 'static', source: 'checkpoint' }, fp8)).toEqual([fp8[1]]);
  });

  it('puts students in the place of the model', () => {
    expect(at('distilled-student', { model: 'a/b' }).model).toBe('a/b');
    expect(at('structured-pruning', { model: 'a/b' }).model).toBe('a/b');
    expect(at('structured-pruning', { model: 'a/b', source: 'recipe' }).model).toBeNull();
    expect(at('sparse-pruning', { repo: 'a/b' })).toMatchObject({ model: null, checkpoint: { repo: 'a/b' } });
  });
});

describe('faults of parameters together', () => {
  it.each([
    ['fp8', { scales: 'static', source: 'online' }, 'source'],
    ['gptq', { bits: '8', source: 'recipe', tool: 'auto-round' }, 'tool'],
    ['fp8', { source: 'recipe', tool: 'modelopt' }, 'tool'],
    ['structured-pruning', {}, 'model'],
    ['sparse-pruning', {}, 'repo'],
    ['distilled-student', {}, 'model'],
    ['sliding-window', { state: 'off', tokens: 9 }, 'tokens'],
    ['disaggregation', { prefillTensorParallel: 2 }, 'prefillTensorParallel'],
    ['rate-limit-by-key', { requestsPerMinute: null }, 'requestsPerMinute'],
    ['request-limits', { timeoutS: null, maxBodyKib: null }, 'timeoutS'],
    ['autoscaling', { min: 3, max: 2 }, 'max'],
    ['autoscaling', { metric: 'kvUsage', target: 5 }, 'target'],
  ])('%s %o: an error at %s', (type, params, field) => {
    const { findings } = validateParams(typeOf(type), node('n', type, params));
    const errors = findings.filter((f) => f.severity === 'error');
    expect(errors.map((f) => [f.code, f.nodeId, f.field])).toEqual([['params-clash', 'n', field]]);
  });

  it('an adapter needs a name and a place', () => {
    const { findings } = validateParams(typeOf('lora-adapter'), node('n', 'lora-adapter'));
    expect(findings.map((f) => f.field)).toEqual(['name', 'source']);
  });

  it('defaults of all other types are without fault', () => {
    const needy = ['structured-pruning', 'sparse-pruning', 'distilled-student', 'lora-adapter'];
    for (const type of TECHNIQUES.filter((t) => !needy.includes(t.type))) {
      expect(validateParams(type, node('n', type.type)).findings, type.type).toEqual([]);
    }
  });
});

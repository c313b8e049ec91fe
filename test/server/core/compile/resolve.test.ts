import { describe, expect, it } from 'vitest';
import { argvOf, compileDocument, errorsOf, node, pipeline, planOf, serving } from '@/test/fixtures/pipelines';

const dep = node('dep', 'deployment', { baseline: true });
const llamaServer = node('engine', 'engine', { engine: 'llama.cpp', runtime: 'llama-server' });

describe('engine, hardware and model', () => {
  const chain = ['model.weights > dep.serving'];

  it.each([
    [[node('engine', 'engine', { engine: 'warp' })], 'engine-unknown@engine'],
    [[node('engine', 'engine', { runtime: 'wasm' })], 'runtime-unknown@engine'],
    [[node('engine', 'engine', { engine: 'endpoint' })], 'endpoint-url-missing@engine'],
    [[node('cpu', 'hardware', { device: 'Z80' })], 'hardware-unknown@cpu'],
    [[node('model', 'model', { model: 'nothing' })], 'model-unknown@model'],
  ])('%j: %s', (nodes, expected) => {
    expect(errorsOf(compileDocument(serving([dep, ...nodes], chain)).findings)).toEqual([expected]);
  });

  it('makes no plan where an unknown node stands on the way, an optional port included', () => {
    const document = serving([dep, node('x', 'alien')], [...chain, 'x.gateway > dep.gateway']);
    const { plans, findings } = compileDocument(document);
    expect(errorsOf(findings)).toEqual(['unknown-node-type@x']);
    expect(plans).toEqual([]);
  });

  it('warns of a version outside the facts and names their range', () => {
    const newer = { ...llamaServer, params: { ...llamaServer.params, version: 'b99999' } };
    const found = compileDocument(serving([dep, newer], chain)).findings.find(
      (f) => f.code === 'engine-version-outside-facts',
    );
    expect(found).toMatchObject({ severity: 'warning', nodeId: 'engine', field: 'version' });
    expect(found?.message).toContain('b10573');
    expect(planOf(serving([dep, newer], chain)).components[0]?.engineVersion).toBe('b99999');
  });

  it('takes a repository or a file that the table does not know, and says what is then not checked', () => {
    const other = serving([dep, node('model', 'model', { model: 'me/My-Model' })], chain);
    expect(compileDocument(other).findings.map((f) => [f.code, f.nodeId])).toContainEqual(['not-checked', 'model']);
    expect(planOf(other).checkpoints[0]).toMatchObject({
      repo: 'me/My-Model',
      format: 'gguf:F16',
      source: 'recipe',
      recipe: { tool: 'convert_hf_to_gguf.py', toType: 'F16' },
    });
    const file = serving([dep, node('model', 'model', { model: 'mine', path: '/m/My-Model-Q5_K_M.gguf' })], chain);
    expect(planOf(file).checkpoints[0]).toMatchObject({
      repo: '/m/My-Model-Q5_K_M.gguf',
      format: 'gguf:Q5_K_M',
      source: 'checkpoint',
    });
    expect(argvOf(file)).toContain('--model /m/My-Model-Q5_K_M.gguf');
  });

  it('makes, downloads or refuses a quantized file', () => {
    const quantized = (model: Record<string, unknown>, q: Record<string, unknown>) =>
      serving(
        [dep, node('model', 'model', model), node('q', 'gguf-quantization', q)],
        ['model.weights > q.weights', 'q.weights > dep.serving'],
      );
    expect(planOf(quantized({}, { type: 'Q4_K_M' })).checkpoints[0]).toMatchObject({
      repo: 'bundled:inferloom-demo',
      source: 'recipe',
      recipe: { tool: 'llama-quantize', fromFormat: 'gguf:F16', toType: 'Q4_K_M' },
      fileName: 'inferloom-demo-q4_k_m.gguf',
    });
    expect(
      planOf(quantized({ model: 'Qwen3-4B' }, { source: 'checkpoint', type: 'Q8_0' })).checkpoints[0],
    ).toMatchObject({
      repo: 'Qwen/Qwen3-4B-GGUF',
      source: 'checkpoint',
      recipe: null,
      fileName: 'Qwen3-4B-Q8_0.gguf',
    });
    const missing = compileDocument(quantized({}, { source: 'checkpoint' })).findings.find(
      (f) => f.severity === 'error',
    );
    expect(missing).toMatchObject({
      code: 'checkpoint-unknown',
      nodeId: 'q',
      fix: { edits: [{ field: 'source', value: 'recipe' }] },
    });
    const twice = quantized({ model: 'x', path: '/a-Q8_0.gguf' }, { type: 'Q4_0' });
    expect(errorsOf(compileDocument(twice).findings)).toEqual(['requantization@q']);
  });

  it('prices what somebody priced and nothing else', () => {
    const priced = (params: Record<string, unknown>) =>
      planOf(serving([dep, node('cpu', 'hardware', params)], chain)).pricePerHourUsd;
    expect(priced({})).toBeNull();
    expect(priced({ count: 2, pricePerHourUsd: 0.4 })).toBe(0.8);
    expect(priced({ device: 'L4', count: 1 })).toBeGreaterThan(0);
  });

  it('takes a running server as it is', () => {
    const engine = node('e', 'engine', {
      engine: 'endpoint',
      url: 'http://10.0.0.7:8000/v1',
      model: 'big',
      apiKeySecret: 'INFERLOOM_SECRET_E',
    });
    const document = pipeline([node('dep', 'deployment'), engine, node('w', 'workload')], ['e.engine > dep.engine']);
    const { plans, baseline, findings } = compileDocument(document);
    expect(findings).toEqual([]);
    expect(baseline).toBe('dep');
    expect(plans).toHaveLength(1);
    expect(plans[0]).toMatchObject({
      argv: [],
      checkpoints: [],
      components: [
        {
          engine: 'endpoint',
          endpoint: { url: 'http://10.0.0.7:8000/v1', model: 'big', apiKeySecret: 'INFERLOOM_SECRET_E' },
        },
      ],
    });
  });

  it('compiles for vLLM on a GPU', () => {
    const document = serving(
      [
        dep,
        node('model', 'model', { model: 'Qwen3-4B' }),
        node('engine', 'engine', { engine: 'vllm' }),
        node('cpu', 'hardware', { device: 'H100-SXM' }),
        node('np', 'parallel-sequences', { sequences: 64 }),
      ],
      ['model.weights > np.serving', 'np.serving > dep.serving'],
    );
    const plan = planOf(document);
    expect(plan.argv?.slice(0, 3)).toEqual(['vllm', 'serve', 'Qwen/Qwen3-4B']);
    expect(plan.argv?.join(' ')).toContain('--max-num-seqs 64');
    expect(plan.checkpoints[0]).toMatchObject({ format: 'safetensors:bfloat16', source: 'checkpoint' });
  });
});

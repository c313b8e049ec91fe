import { describe, expect, it } from 'vitest';
import { compilePipeline } from '@/server/core/compile/compile-pipeline';
import { ENGINES } from '@/server/core/engines/index';
import type { Pipeline } from '@/server/core/pipeline/document';
import { parsePipeline } from '@/server/core/pipeline/parse';
import { RULES } from '@/server/core/rules/index';
import { node, serving } from '@/test/fixtures/pipelines';
import v1 from '@/test/golden/pipeline/v1.json';

const vllm = serving(
  [
    node('dep', 'deployment'),
    node('model', 'model', { model: 'Qwen3-8B' }),
    node('engine', 'engine', { engine: 'vllm' }),
    node('cpu', 'hardware', { device: 'H100-SXM', count: 2 }),
    node('kv', 'kv-cache-type', { key: 'FP8', value: 'FP8' }),
    node('d', 'model', { model: 'Qwen3-0.6B' }),
    node('s', 'draft-speculation', { k: { $sweep: [2, 4] } }),
    node('np', 'parallel-sequences', { sequences: 64 }),
    node('key', 'api-key'),
    node('chat', 'workload', { inputTokens: 2000, outputTokens: 256, prefixTokens: 1500, concurrency: 32 }),
  ],
  [
    'model.weights > kv.serving',
    'kv.serving > s.serving',
    'd.weights > s.draft',
    's.serving > np.serving',
    'np.serving > dep.serving',
    'key.gateway > dep.gateway',
  ],
);

/** Golden in, golden out: what these documents compile to is kept, so that a change of it is seen in review. */
describe('compiled plans', () => {
  it.each<[string, Pipeline]>([
    ['v1', parsePipeline(v1).pipeline],
    ['vllm', vllm],
  ])('%s', async (name, document) => {
    const compiled = compilePipeline(document, { engines: ENGINES, rules: RULES });
    await expect(`${JSON.stringify(compiled, null, 2)}\n`).toMatchFileSnapshot(`../../../golden/compile/${name}.json`);
  });
});

import { compilePipeline } from '@/server/core/compile/compile-pipeline';
import { freezeExperiment } from '@/server/core/compile/freeze-experiment';
import { ENGINES } from '@/server/core/engines/index';
import { parsePipeline } from '@/server/core/pipeline/parse';
import type { ExperimentSpec } from '@/server/core/run/experiment';

const edge = (from: string, port: string, to: string, into: string) => ({
  from: { node: from, port },
  to: { node: to, port: into },
});

/** Two arms of the demo model, F16 and F16 with a Q8_0 KV cache, on a short workload. */
export const tinyPipeline = {
  version: 1,
  nodes: [
    {
      id: 'w',
      type: 'workload',
      params: {
        name: 'Short',
        role: 'target',
        endpoint: 'completions',
        inputTokens: 48,
        prefixTokens: 0,
        outputTokens: 16,
        mode: 'closed',
        concurrency: 1,
        warmupS: 1,
        windowS: 2,
      },
    },
    { id: 'm', type: 'model', params: { model: 'inferloom-demo' } },
    { id: 'fa', type: 'flash-attention', params: { state: 'on' } },
    { id: 'kv', type: 'kv-cache-type', params: { key: 'Q8_0', value: 'Q8_0' } },
    { id: 'e', type: 'engine', params: { engine: 'llama.cpp', runtime: 'embedded' } },
    { id: 'h', type: 'hardware', params: { device: 'cpu-local', count: 1 } },
    { id: 'base', type: 'deployment', params: { name: 'F16', baseline: true, primaryMetrics: ['outputTokensPerS'] } },
    { id: 'small', type: 'deployment', params: { name: 'KV Q8_0' } },
  ],
  edges: [
    edge('m', 'weights', 'base', 'serving'),
    edge('m', 'weights', 'fa', 'serving'),
    edge('fa', 'serving', 'kv', 'serving'),
    edge('kv', 'serving', 'small', 'serving'),
    ...['base', 'small'].flatMap((d) => [edge('e', 'engine', d, 'engine'), edge('h', 'hardware', d, 'hardware')]),
  ],
};

export function tinySpec(blocks = 1): ExperimentSpec {
  const compiled = compilePipeline(parsePipeline(tinyPipeline).pipeline, { engines: ENGINES });
  const { spec, findings } = freezeExperiment(compiled, { seed: 3, blocks });
  if (spec === null) throw new Error(JSON.stringify(findings));
  return spec;
}

import { describe, expect, it } from 'vitest';
import { compilePipeline } from '@/server/core/compile/compile-pipeline';
import { ENGINES } from '@/server/core/engines/index';
import type { Pipeline, PipelineNode } from '@/server/core/pipeline/document';
import { RULES } from '@/server/core/rules/index';
import { node, pipeline } from '@/test/fixtures/pipelines';

interface SetUp {
  engine: Record<string, unknown>;
  hardware: [device: string, count: number];
  model: PipelineNode;
  /** Techniques in the order of their chain, weights first. */
  weights?: PipelineNode[];
  serving?: PipelineNode[];
  /** A second model, into the draft port of the node with this id. */
  draft?: { model: PipelineNode; into: string };
}

/** One deployment: model, weights techniques, serving techniques in a chain, and what stands at the other ports. */
function graph({ engine, hardware, model, weights = [], serving = [], draft }: SetUp): Pipeline {
  const chain = [
    { id: model.id, port: 'weights' },
    ...weights.map(({ id }) => ({ id, port: 'weights' })),
    ...serving.map(({ id }) => ({ id, port: 'serving' })),
    { id: 'dep', port: 'serving' },
  ];
  const edges = chain.slice(1).map((to, i) => {
    const from = chain[i] ?? { id: model.id, port: 'weights' };
    return `${from.id}.${from.port} > ${to.id}.${to.port}`;
  });
  const nodes = [
    node('dep', 'deployment', { baseline: true }),
    node('engine', 'engine', engine),
    node('gpu', 'hardware', { device: hardware[0], count: hardware[1] }),
    node('chat', 'workload', { inputTokens: 2000, outputTokens: 500, concurrency: 16 }),
    model,
    ...weights,
    ...serving,
    ...(draft ? [draft.model] : []),
  ];
  const wires = ['engine.engine > dep.engine', 'gpu.hardware > dep.hardware'];
  return pipeline(nodes, [...edges, ...wires, ...(draft ? [`${draft.model.id}.weights > ${draft.into}.draft`] : [])]);
}

const llama = node('m', 'model', { model: 'Llama-3.1-8B' });
const SGLANG = { engine: 'sglang' };

const SET_UPS: Readonly<Record<string, SetUp>> = {
  'sglang-deepseek-v3-tp8-ep8-mtp': {
    engine: SGLANG,
    hardware: ['H200-SXM', 8],
    model: node('m', 'model', { model: 'DeepSeek-V3' }),
    serving: [
      node('mtp', 'mtp', { k: 3 }),
      node('n', 'parallel-sequences', { sequences: 128 }),
      node('tp', 'tensor-parallel', { devices: 8 }),
      node('ep', 'expert-parallel', { ranks: 8 }),
      node('dp', 'attention-data-parallel', { ranks: 8 }),
    ],
  },
  'sglang-llama-8b-fp8-kv-e5m2': {
    engine: SGLANG,
    hardware: ['H100-SXM', 1],
    model: llama,
    weights: [node('w', 'fp8', { source: 'online' })],
    serving: [
      node('kv', 'kv-cache-type', { key: 'FP8_E5M2', value: 'FP8_E5M2' }),
      node('mem', 'memory-fraction', { fraction: 0.9 }),
      node('chunk', 'prefill-chunk', { tokens: 4096 }),
    ],
  },
  'sglang-llama-8b-eagle3': {
    engine: SGLANG,
    hardware: ['H100-SXM', 1],
    model: llama,
    serving: [node('spec', 'eagle-3', { k: 15, branches: 4, depth: 3 })],
    draft: { model: node('head', 'model', { path: 'acme/EAGLE3-LLaMA3.1-Instruct-8B' }), into: 'spec' },
  },
  'sglang-qwen3-32b-hicache': {
    engine: SGLANG,
    hardware: ['H100-SXM', 2],
    model: node('m', 'model', { model: 'Qwen3-32B' }),
    serving: [
      node('page', 'kv-block-size', { tokens: 64 }),
      node('tier', 'kv-offload', { tier: 'host-memory', sizeGib: 128 }),
      node('prio', 'scheduling-policy', { policy: 'priority', highFirst: false }),
      node('tp', 'tensor-parallel', { devices: 2 }),
    ],
  },
  'sglang-llama-8b-lora': {
    engine: SGLANG,
    hardware: ['A100-SXM-80GB', 1],
    model: llama,
    serving: [
      node('lookup', 'prompt-lookup', { k: 11, min: 1, max: 18 }),
      node('sql', 'lora-adapter', { name: 'sql', source: 'acme/sql-lora', maxRank: 32 }),
      node('chat-lora', 'lora-adapter', { name: 'chat', source: 'acme/chat-lora' }),
    ],
  },
  'lmdeploy-awq-kv-int8': {
    engine: { engine: 'lmdeploy', runtime: 'turbomind' },
    hardware: ['RTX-4090', 1],
    model: llama,
    weights: [node('w', 'awq', { source: 'checkpoint', repo: 'acme/Llama-3.1-8B-Instruct-AWQ' })],
    serving: [
      node('kv', 'kv-cache-type', { key: 'INT8', value: 'INT8' }),
      node('prefix', 'prefix-caching', { state: 'on' }),
      node('mem', 'memory-fraction', { fraction: 0.9 }),
      node('n', 'parallel-sequences', { sequences: 64 }),
    ],
  },
  'transformers-continuous-bnb-4bit': {
    engine: { engine: 'transformers' },
    hardware: ['RTX-4090', 1],
    model: llama,
    weights: [node('w', 'bitsandbytes-nf4', { source: 'online' })],
    serving: [node('attn', 'flash-attention', { state: 'on' }), node('page', 'kv-block-size', { tokens: 32 })],
  },
};

/** What rules and compiler refuse; common set-ups are not refused. */
const errorsOf = (document: Pipeline): string[] =>
  compilePipeline(document, { engines: ENGINES, rules: RULES })
    .findings.filter(({ severity }) => severity === 'error')
    .map(({ code, message }) => `${code}: ${message}`);

/** Argument by argument with its arithmetic, then what the compiler found. */
function written(document: Pipeline): string {
  const { plans, findings } = compilePipeline(document, { engines: ENGINES });
  const plan = plans.find(({ deployment }) => deployment === 'dep');
  const component = plan?.components[0];
  const args = (component?.args ?? []).map(({ flag, value, note }) => {
    return `  ${flag}${value === null ? '' : ` ${value}`}${note === null ? '' : `  # ${note}`}`;
  });
  const command = component?.argv.slice(0, component.argv.length - args.length) ?? [];
  const found = findings.map(({ severity, code, nodeId, message }) => `${severity} ${code} @${nodeId}: ${message}`);
  const argv = component?.argv.join(' ') ?? 'no plan';
  return [argv, '', command[0] ?? '', ...args, '', `image ${component?.image}`, ...found.sort(), ''].join('\n');
}

/** What these set-ups become on their engine is kept, so that a change of it is seen in review. */
describe('typical set-ups', () => {
  it.each(Object.entries(SET_UPS))('%s', async (name, setUp) => {
    expect(errorsOf(graph(setUp))).toEqual([]);
    await expect(written(graph(setUp))).toMatchFileSnapshot(`../../../golden/engines/${name}.txt`);
  });
});

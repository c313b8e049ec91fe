import { describe, expect, it } from 'vitest';
import { compilePipeline } from '@/server/core/compile/compile-pipeline';
import { freezeExperiment } from '@/server/core/compile/freeze-experiment';
import { ENGINES } from '@/server/core/engines/index';
import type { PipelineNode } from '@/server/core/pipeline/document';
import { RULES } from '@/server/core/rules/index';
import { node, serving } from '@/test/fixtures/pipelines';

/** Weights techniques stand before all others; a draft enters its node beside the chain. */
function chain(nodes: readonly PipelineNode[], weights: readonly string[], draftFor: string | null): string[] {
  const steps = nodes
    .filter((n) => !['model', 'draft', 'engine', 'cpu', 'chat', 'dep'].includes(n.id))
    .map((n) => n.id);
  const edges: string[] = [];
  let from = 'model.weights';
  for (const id of steps) {
    const isWeights = weights.includes(id);
    edges.push(`${from} > ${id}.${isWeights ? 'weights' : 'serving'}`);
    from = `${id}.${isWeights ? 'weights' : 'serving'}`;
  }
  if (draftFor !== null) edges.push(`draft.weights > ${draftFor}.draft`);
  return [...edges, `${from} > dep.serving`];
}

interface SetUp {
  engine: string;
  model: string;
  device: string;
  count?: number;
  weights?: readonly PipelineNode[];
  techniques?: readonly PipelineNode[];
  draft?: { model: string; of: string };
}

function compile({ engine, model, device, count = 1, weights = [], techniques = [], draft }: SetUp) {
  const nodes = [
    node('model', 'model', { model }),
    ...(draft ? [node('draft', 'model', { model: draft.model })] : []),
    node('engine', 'engine', { engine }),
    node('cpu', 'hardware', { device, count }),
    node('chat', 'workload', { inputTokens: 2000, outputTokens: 500, prefixTokens: 1000, concurrency: 16 }),
    ...weights,
    ...techniques,
    node('dep', 'deployment', { baseline: true }),
  ];
  const edges = chain(
    nodes,
    weights.map((n) => n.id),
    draft?.of ?? null,
  );
  return compilePipeline(serving(nodes, edges), { engines: ENGINES, rules: RULES });
}

/** What is launched, and what is said of it. */
function inShort(setUp: SetUp): string {
  const { plans, findings } = compile(setUp);
  const [component] = plans[0]?.components ?? [];
  const env = Object.entries(component?.env ?? {}).map(([name, value]) => `${name}=${value}`);
  const files = (component?.files ?? []).map(({ path, content }) => `# ${path}\n${content.trimEnd()}`);
  const said = findings
    .filter((f) => f.severity !== 'info')
    .map((f) => `! ${f.severity} ${f.code} at ${f.nodeId}: ${f.message}`);
  return `${[...env, (component?.argv ?? ['no plan']).join(' '), ...files, ...said].join('\n')}\n`;
}

const fp8 = node('w', 'fp8', { source: 'checkpoint', scales: 'static', repo: 'nvidia/Llama-3.1-8B-Instruct-FP8' });
const kv = node('kv', 'kv-cache-type', { key: 'FP8', value: 'FP8' });

const SET_UPS: Record<string, SetUp> = {
  'trtllm-fp8-8b-h100': {
    engine: 'tensorrt-llm',
    model: 'Llama-3.1-8B',
    device: 'H100-SXM',
    weights: [fp8],
    techniques: [
      kv,
      node('chunk', 'chunked-prefill'),
      node('n', 'parallel-sequences', { sequences: 64 }),
      node('m', 'metrics-endpoint'),
    ],
  },
  'trtllm-awq-a100': {
    engine: 'tensorrt-llm',
    model: 'Llama-3.1-8B',
    device: 'A100-80GB-SXM',
    weights: [node('w', 'awq', { repo: 'hugging-quants/Meta-Llama-3.1-8B-Instruct-AWQ-INT4' })],
    techniques: [node('p', 'prefix-caching'), node('mem', 'memory-fraction', { fraction: 0.9 })],
  },
  'trtllm-deepseek-nvfp4-b200': {
    engine: 'tensorrt-llm',
    model: 'DeepSeek-V3',
    device: 'B200-SXM',
    count: 8,
    weights: [node('w', 'nvfp4', { repo: 'nvidia/DeepSeek-V3-0324-FP4' })],
    techniques: [
      kv,
      node('mtp', 'mtp', { k: 3 }),
      node('tp', 'tensor-parallel', { devices: 8 }),
      node('ep', 'expert-parallel', { ranks: 8 }),
    ],
  },
  'trtllm-eagle3-h100': {
    engine: 'tensorrt-llm',
    model: 'Llama-3.1-8B',
    device: 'H100-SXM',
    techniques: [node('e3', 'eagle-3', { k: 3 })],
    draft: { model: 'yuhuili/EAGLE3-LLaMA3.1-Instruct-8B', of: 'e3' },
  },
  'trtllm-window-gemma': {
    engine: 'tensorrt-llm',
    model: 'Gemma-3-12B',
    device: 'H100-SXM',
    techniques: [node('win', 'sliding-window', { state: 'on', tokens: 1024 })],
  },
  'trtllm-prompt-lookup': {
    engine: 'tensorrt-llm',
    model: 'Qwen3-8B',
    device: 'L40S',
    techniques: [node('pl', 'prompt-lookup')],
  },
  'tgi-gptq-marlin-a100': {
    engine: 'tgi',
    model: 'Llama-2-7B',
    device: 'A100-80GB-SXM',
    weights: [node('w', 'gptq', { repo: 'TheBloke/Llama-2-7B-Chat-GPTQ' })],
    techniques: [
      node('g', 'cuda-graphs', { maxBatch: 16 }),
      node('p', 'prefix-caching'),
      node('pl', 'prompt-lookup', { k: 3, min: 1, max: 1 }),
    ],
  },
  'ort-int4-cpu': {
    engine: 'onnxruntime-genai',
    model: 'Llama-3.2-1B',
    device: 'cpu-local',
    weights: [node('w', 'w4a16', { source: 'online' })],
    techniques: [node('t', 'threads', { threads: 8 })],
  },
};

describe('typical set-ups', () => {
  it.each(Object.entries(SET_UPS))('%s', async (name, setUp) => {
    const { findings } = compile(setUp);
    expect(findings.filter((f) => f.severity === 'error').map((f) => f.message)).toEqual([]);
    await expect(inShort(setUp)).toMatchFileSnapshot(`../../../golden/set-ups/${name}.txt`);
  });

  it('cannot run what has no server', () => {
    const [setUp] = Object.entries(SET_UPS).flatMap(([name, entry]) => (name === 'ort-int4-cpu' ? [entry] : []));
    if (setUp === undefined) throw new Error('the set-up is gone');
    const compiled = compile(setUp);
    expect(compiled.findings.map((f) => f.code)).toContain('engine-without-server');
    const frozen = freezeExperiment(compiled, { seed: 1 });
    expect(frozen.spec).toBeNull();
    expect(frozen.findings.map((f) => [f.severity, f.code])).toEqual([['error', 'engine-without-server']]);
  });
});

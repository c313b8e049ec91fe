import { describe, expect, it } from 'vitest';
import type { Checkpoint, Component, Plan } from '@/server/core/plan/plan';
import { NO_POLICIES } from '@/server/core/plan/policies';
import { planPhysics, weightBits } from '@/server/core/run/plan-physics';

const component: Component = {
  name: 'engine',
  role: 'engine',
  engine: 'vllm',
  runtime: null,
  engineVersion: '0.1',
  image: null,
  hardware: { id: 'H100-SXM', kind: 'gpu', count: 2 },
  replicas: 1,
  argv: [],
  args: [],
  env: {},
  files: [],
  config: [],
  endpoint: null,
};
const checkpoint: Checkpoint = {
  scope: 'target',
  model: 'Llama-3.1-8B',
  repo: 'meta-llama/Llama-3.1-8B',
  revision: null,
  format: 'safetensors:bfloat16',
  source: 'checkpoint',
  recipe: null,
  fileName: 'x',
  nodeId: null,
};

function plan(
  change: { component?: Partial<Component>; checkpoint?: Partial<Checkpoint>; settings?: Record<string, unknown> } = {},
): Plan {
  const setting = (asked: unknown) => ({ asked, default: null, defaultSource: null, origin: 'n', field: null });
  return {
    deployment: 'd',
    deploymentNodeId: 'd',
    isBaseline: false,
    label: 'd',
    planHash: 'p',
    launchHash: 'l',
    components: [{ ...component, ...change.component }],
    checkpoints: [{ ...checkpoint, ...change.checkpoint }],
    policies: NO_POLICIES,
    request: {},
    settings: Object.fromEntries(Object.entries(change.settings ?? {}).map(([name, v]) => [name, setting(v)])),
    pricePerHourUsd: null,
    loss: 'none',
    nodeIds: [],
  };
}
const factsOf = (p: Plan) => {
  const { facts, skipped } = planPhysics(p);
  if (facts === null) throw new Error(skipped);
  return facts;
};

describe('planPhysics', () => {
  it('takes weights without the input embedding, bandwidth and devices from the facts', () => {
    const facts = factsOf(plan());
    // Llama-3.1-8B: 8.03e9 parameters, of which 0.525e9 embedding, untied; bfloat16; 128 KiB of KV a token.
    expect(facts.weightBytes / 1e9).toBeCloseTo(2 * (8.03 - 0.525), 1);
    expect(facts).toMatchObject({ bandwidthBytesPerS: 3.35e12, devices: 2, draftTokens: 0, peakFlops: 1979e12 });
    expect((facts.flopsPerPromptToken ?? 0) / 1e9).toBeCloseTo(2 * (8.03 - 2 * 0.525), 1);
  });

  it('follows formats: a quarter of the bits is a quarter of the bytes', () => {
    const gguf = factsOf(plan({ checkpoint: { format: 'gguf:F16' } })).weightBytes;
    const q8 = factsOf(plan({ checkpoint: { format: 'gguf:Q8_0' } })).weightBytes;
    expect(q8 / gguf).toBeCloseTo(8.5 / 16, 2);
    expect(weightBits('awq:int4')).toBe(4);
    expect(weightBits('safetensors:fp8')).toBe(8);
    expect(weightBits('safetensors:fp8-block')).toBeCloseTo(8, 2);
    expect(weightBits('safetensors:awq-int4')).toBeCloseTo(4.15, 2);
    expect(weightBits('gguf:unknown')).toBeNull();
  });

  it('counts the KV cache only where its type is known and nothing slides', () => {
    const types = { kvCacheKeyType: 'F16', kvCacheValueType: 'Q8_0' };
    expect(factsOf(plan()).kvBytesPerToken).toBe(0);
    expect(factsOf(plan({ settings: types })).kvBytesPerToken).toBeCloseTo((131_072 * 24.5) / 32, 6);
    expect(factsOf(plan({ settings: { ...types, sinkTokens: 4 } })).kvBytesPerToken).toBe(0);
  });

  it('grants drafted tokens, and tensor-parallel devices only', () => {
    const speculative = { speculation: 'draft-model', draftTokens: 4 };
    expect(factsOf(plan({ settings: speculative })).draftTokens).toBe(4);
    expect(factsOf(plan({ settings: { tensorParallel: 1 } })).devices).toBe(1);
    expect(planPhysics(plan({ settings: { speculation: 'prompt-lookup' } })).skipped).toContain('drafted tokens');
  });

  it('counts only the experts that a token uses', () => {
    const facts = factsOf(plan({ checkpoint: { model: 'Qwen3-30B-A3B' } }));
    expect(facts.weightBytes / 2e9).toBeCloseTo(3.353 - 0.311, 2);
  });

  it.each<[string, Parameters<typeof plan>[0]]>([
    ['bandwidth of cpu-local', { component: { hardware: { id: 'cpu-local', kind: 'cpu', count: 1 } } }],
    ['endpoint', { component: { endpoint: { url: 'http://x', model: null, apiKeySecret: null } } }],
    ['simulated', { component: { engine: 'simulator' } }],
    ['nothing is known of some/model', { checkpoint: { model: 'some/model' } }],
    ['active parameters', { checkpoint: { model: 'Qwen3.5-27B' } }],
    ['bits per weight', { checkpoint: { format: 'gguf:unknown' } }],
    ['last-level cache', { checkpoint: { model: 'inferloom-demo', format: 'gguf:F16' } }],
  ])('is skipped with a reason: %s', (why, change) => {
    expect(planPhysics(plan(change))).toMatchObject({ facts: null });
    expect(planPhysics(plan(change)).skipped).toContain(why);
  });
});

import { describe, expect, it } from 'vitest';
import { compilePipeline } from '@/server/core/compile/compile-pipeline';
import { ENGINES } from '@/server/core/engines/index';
import { EXAMPLES } from '@/server/core/pipeline/examples';
import { RULES } from '@/server/core/rules/index';

const compile = (id: string) => {
  const example = EXAMPLES.find((e) => e.id === id);
  if (!example) throw new Error(`no example ${id}`);
  return compilePipeline(example.pipeline, { engines: ENGINES, rules: RULES });
};
const argvOf = (id: string, deployment: string): string =>
  compile(id)
    .plans.find((plan) => plan.deployment === deployment)
    ?.argv?.join(' ') ?? '';

/** id, engine, deployments in order with the baseline first. */
const TEMPLATES: readonly [string, string, readonly string[]][] = [
  ['lossless-quick', 'vllm', ['defaults', 'plain', 'flash-attention']],
  ['max-speed-fp8', 'tensorrt-llm', ['bf16', 'fp8-fast']],
  ['max-speed-w4a16', 'tensorrt-llm', ['bf16', 'int4']],
  ['cpu-only', 'llama.cpp', ['quantized', 'with-draft']],
  ['low-load-int4', 'vllm', ['int4', 'int4-draft']],
  ['long-context', 'vllm', ['cold', 'prefix', 'prefix-fp8']],
  ['offline-batch', 'vllm', ['defaults', 'throughput']],
  ['single-user-edge', 'llama.cpp', ['q8-plain', 'q4-small']],
];

describe('templates', () => {
  it.each(TEMPLATES)('%s compiles on %s without an error, each deployment differs', (id, engine, deployments) => {
    const { plans, findings, baseline } = compile(id);
    expect(findings.filter((f) => f.severity === 'error')).toEqual([]);
    expect(plans.map((plan) => plan.deployment)).toEqual(deployments);
    expect(baseline).toBe(deployments[0]);
    expect(new Set(plans.map((plan) => plan.planHash)).size).toBe(plans.length);
    for (const plan of plans) expect(plan.components[0]?.engine).toBe(engine);
  });

  it('covers all examples but the demo, each with a reason and what others measured', () => {
    const others = EXAMPLES.filter((example) => example.id !== 'demo');
    expect(others.map((example) => example.id)).toEqual(TEMPLATES.map(([id]) => id));
    for (const { id, why, expected, file } of others) {
      expect(why.length, id).toBeGreaterThan(60);
      expect(expected.length, id).toBeGreaterThan(0);
      for (const { source } of expected) expect(new URL(source.url).protocol).toBe('https:');
      expect(file).toBe(`${id}.json`);
    }
  });

  it('says what it is about in the command', () => {
    expect(argvOf('lossless-quick', 'flash-attention')).toContain('--attention-backend FLASH_ATTN');
    expect(argvOf('max-speed-fp8', 'fp8-fast')).toContain('nvidia/Llama-3.1-8B-Instruct-FP8');
    expect(argvOf('max-speed-w4a16', 'int4')).toContain('AWQ-INT4');
    expect(argvOf('cpu-only', 'with-draft')).toContain('--model-draft');
    expect(argvOf('low-load-int4', 'int4-draft')).toContain('"method":"draft_model"');
    expect(argvOf('long-context', 'prefix-fp8')).toContain('--kv-cache-dtype fp8');
    expect(argvOf('offline-batch', 'throughput')).toContain('--max-num-seqs 512');
    expect(argvOf('single-user-edge', 'q4-small')).toContain('--cache-type-k q8_0');
  });
});

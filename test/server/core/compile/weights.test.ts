import { describe, expect, it } from 'vitest';
import type { Checkpoint } from '@/server/core/plan/plan';
import { compileDocument, errorsOf, node, planOf, serving } from '@/test/fixtures/pipelines';

/** Weights techniques in a chain on vLLM and an H100. */
const weighed = (chain: [string, string, Record<string, unknown>][], model = 'Llama-3.1-8B') => {
  const ids = ['model', ...chain.map(([id]) => id)];
  const edges = ids.map((id, i) => `${id}.weights > ${ids[i + 1] ? `${ids[i + 1]}.weights` : 'dep.serving'}`);
  return serving(
    [
      node('dep', 'deployment'),
      node('model', 'model', { model }),
      node('engine', 'engine', { engine: 'vllm' }),
      node('cpu', 'hardware', { device: 'H100-SXM' }),
      ...chain.map(([id, type, params]) => node(id, type, params)),
    ],
    edges,
  );
};
const checkpointOf = (document: ReturnType<typeof weighed>): Checkpoint | undefined => planOf(document).checkpoints[0];

describe('where weights come from', () => {
  it('takes the first repository that the facts know under the name of the format', () => {
    expect(checkpointOf(weighed([['q', 'awq', { source: 'checkpoint' }]]))).toMatchObject({
      source: 'checkpoint',
      repo: 'hugging-quants/Meta-Llama-3.1-8B-Instruct-AWQ-INT4',
      format: 'safetensors:awq-int4',
      nodeId: 'q',
    });
  });

  it('lets the engine quantize at load, or a tool before', () => {
    const online = planOf(weighed([['q', 'fp8', { source: 'online' }]]));
    expect(online.checkpoints[0]).toMatchObject({ source: 'online', repo: 'meta-llama/Llama-3.1-8B-Instruct' });
    expect(online.argv?.join(' ')).toContain('--quantization fp8');
    const made = checkpointOf(weighed([['q', 'awq', { source: 'recipe' }]]));
    expect(made?.source).toBe('recipe');
    expect(made?.recipe).toMatchObject({ fromFormat: 'safetensors:bfloat16', toType: 'awq-int4' });
    expect(made?.fileName).toMatch(/^Llama-3\.1-8B-awq-int4(-[0-9a-f]{8})?$/);
  });

  it('names a repository that nobody knows as the fault, with another source as the fix', () => {
    const { findings } = compileDocument(weighed([['q', 'awq', { source: 'checkpoint' }]], 'Llama-3-8B'));
    const fault = findings.find((f) => f.code === 'checkpoint-unknown');
    expect(fault).toMatchObject({ severity: 'error', nodeId: 'q', field: 'repo' });
    expect(fault?.fix?.edits).toEqual([{ op: 'set-param', nodeId: 'q', field: 'source', value: 'recipe' }]);
  });

  it('puts pruning before quantization into one recipe, with a file name of its own', () => {
    const prune: [string, string, Record<string, unknown>] = ['p', 'sparse-pruning', { source: 'recipe' }];
    const both = checkpointOf(weighed([prune, ['q', 'awq', { source: 'recipe' }]]));
    expect(both?.recipe?.toType).toBe('awq-int4');
    expect(both?.recipe?.before).toMatchObject([{ tool: 'sparsegpt', options: { pattern: '2:4' } }]);
    const alone = checkpointOf(weighed([prune]));
    expect(alone).toMatchObject({ source: 'recipe', recipe: { tool: 'sparsegpt', toType: 'bfloat16' } });
    const other = checkpointOf(weighed([['p', 'sparse-pruning', { source: 'recipe', pattern: 'unstructured' }]]));
    expect(other?.fileName).not.toBe(alone?.fileName);
  });

  it('never loses a pruning recipe to a download or to the engine', () => {
    const prune: [string, string, Record<string, unknown>] = ['p', 'sparse-pruning', { source: 'recipe' }];
    for (const q of [
      ['q', 'awq', { source: 'checkpoint' }],
      ['q', 'fp8', { source: 'online' }],
    ] as const) {
      expect(errorsOf(compileDocument(weighed([prune, [...q]])).findings)).toContain('recipe-lost@q');
    }
  });

  it('refuses to quantize what is quantized already', () => {
    const document = weighed([['q', 'fp8', { source: 'online' }]], 'gpt-oss-20b');
    expect(errorsOf(compileDocument(document).findings)).toContain('requantization@q');
  });
});

describe('a student in the place of the teacher', () => {
  it('is what runs and what is quantized', () => {
    const student: [string, string, Record<string, unknown>] = ['s', 'distilled-student', { model: 'Llama-3.2-1B' }];
    const plan = planOf(weighed([student, ['q', 'fp8', { source: 'online' }]]));
    expect(plan.checkpoints[0]).toMatchObject({ model: 'Llama-3.2-1B', source: 'online', nodeId: 'q' });
  });

  it('that nobody knows is named where it stands', () => {
    const { findings } = compileDocument(weighed([['s', 'distilled-student', { model: 'Llama-3.2-1X' }]]));
    expect(findings).toContainEqual(
      expect.objectContaining({ code: 'model-unknown', nodeId: 's', field: 'model', severity: 'error' }),
    );
  });

  it('may be a folder on the worker, and must come before quantization', () => {
    expect(checkpointOf(weighed([['s', 'distilled-student', { model: '/models/student' }]]))?.repo).toBe(
      '/models/student',
    );
    const late = weighed([
      ['q', 'fp8', { source: 'online' }],
      ['s', 'distilled-student', { model: 'Llama-3.2-1B' }],
    ]);
    expect(errorsOf(compileDocument(late).findings)).toContain('student-after-quantization@s');
  });
});

describe('adapters of several nodes', () => {
  const adapted = (...sources: [string, string][]) => {
    const document = weighed([]);
    const ids = sources.map((_, i) => `l${i}`);
    const adapters = sources.map(([name, source], i) => node(`l${i}`, 'lora-adapter', { name, source }));
    const edges = [...ids, 'dep'].map((id, i) => {
      const from = i === 0 ? 'model.weights' : `${ids[i - 1]}.serving`;
      return `${from} > ${id}.serving`;
    });
    const { nodes } = serving([...document.nodes, ...adapters], edges);
    return serving([...nodes.filter((n) => n.id !== 'chat')], edges);
  };

  it('join in the order of the chain; one name for two things is a conflict', () => {
    const argv = planOf(adapted(['a', 'org/a'], ['b', 'org/b'])).argv?.join(' ');
    expect(argv).toContain('--enable-lora --lora-modules a=org/a b=org/b');
    expect(errorsOf(compileDocument(adapted(['a', 'org/a'], ['a', 'org/b'])).findings)).toEqual([
      'setting-conflict@l0',
      'setting-conflict@l1',
    ]);
  });
});

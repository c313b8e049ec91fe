import { describe, expect, it } from 'vitest';
import type { Finding } from '@/server/core/plan/finding';
import type { Arg, Checkpoint } from '@/server/core/plan/plan';
import { armContext } from '@/server/core/rules/arm-context';
import { CONSTRAINT_ENGINES, CONSTRAINT_TABLES } from '@/server/core/rules/constraints/tables';
import { engineConstraints, JUDGED_ELSEWHERE } from '@/server/core/rules/engine-constraints';
import { RULES } from '@/server/core/rules/index';
import type { RuleContext } from '@/server/core/rules/rule';
import { type RuleSituation, ruleContext } from '@/test/fixtures/rule-context';

const checkpoint = (format: string, over: Partial<Checkpoint> = {}): Checkpoint => ({
  scope: 'target',
  model: 'm',
  repo: 'org/m',
  revision: null,
  format,
  source: 'checkpoint',
  recipe: null,
  fileName: 'm',
  nodeId: 'weights',
  ...over,
});

type LaunchArg = [flag: string, value: string | null, setting?: string];

function arm(situation: RuleSituation, launch: LaunchArg[] = []): RuleContext {
  const context = ruleContext(situation);
  const args = launch.map(
    ([flag, value, setting = null]): Arg => ({
      flag,
      value,
      setting,
      scope: 'target',
      nodeId: setting === null ? null : `n-${setting}`,
      isDefault: false,
      note: null,
    }),
  );
  return { ...context, component: { ...context.component, args } };
}

const judge = (situation: RuleSituation, launch?: LaunchArg[]): Finding[] =>
  engineConstraints.check(arm(situation, launch));
const constraintsOf = (findings: Finding[]) => findings.filter((found) => found.code === 'engine-constraint');
const refusals = (findings: Finding[]) => findings.filter((found) => found.severity === 'error');

const vllm = { engine: 'vllm', device: 'H100-SXM', target: 'Llama-3.1-8B' } as const;
const plain = [checkpoint('safetensors:bfloat16')];
const draftConfig = JSON.stringify({ method: 'draft_model', model: 'org/draft', num_speculative_tokens: 3 });

describe('constraints of the engines in an arm', () => {
  it('refuse a GPU below the lowest that vLLM runs on, at the hardware', () => {
    const found = constraintsOf(judge({ ...vllm, device: 'V100-SXM2', checkpoints: plain }));
    expect(found.map((f) => [f.severity, f.nodeId, f.field])).toContainEqual(['error', 'hardware', null]);
    expect(found.map((f) => f.message).join()).toContain('vllm.quant.gpu_floor');
  });

  it('refuse an argument at the field that set it, with the file of the engine as source', () => {
    const found = constraintsOf(
      judge({ device: 'RTX-4090', devices: 2, asked: { kvCacheKeyType: 'Q8_0', tensorParallel: 2 } }, [
        ['--cache-type-k', 'q8_0', 'kvCacheKeyType'],
        ['--split-mode', 'tensor', 'tensorParallel'],
      ]),
    );
    const split = found.find((f) => f.message.includes('lcpp.split.tensor_kv'));
    expect([split?.severity, split?.nodeId, split?.field]).toEqual(['error', 'n-tensorParallel', 'tensorParallel']);
    expect(split?.source).toContain('src/llama-context.cpp');
  });

  it('refuse a draft whose padded vocabulary differs where the tokenizer is the same; another tokenizer only once', () => {
    const situation = { ...vllm, checkpoints: plain, asked: { speculation: 'draft-model' } } as const;
    const launch: LaunchArg[] = [['--speculative-config', draftConfig, 'speculation']];
    const padded = judge({ ...situation, target: 'Qwen2.5-7B', draft: 'Qwen2.5-0.5B' }, launch);
    expect(
      constraintsOf(padded)
        .map((f) => f.message)
        .join(),
    ).toContain('vllm.spec.vocab');
    const other = judge({ ...situation, draft: 'Qwen2.5-0.5B' }, launch);
    expect(refusals(other)).toEqual([]);
  });

  it('take GGUF for llama.cpp only', () => {
    expect(
      refusals(judge({ checkpoints: [checkpoint('safetensors:float16')] }))
        .map((f) => f.message)
        .join(),
    ).toContain('lcpp.format');
    expect(refusals(judge({ checkpoints: [checkpoint('gguf:F16')] }))).toEqual([]);
  });

  it.each([
    ['IQ2_XXS', 'refused'],
    ['IQ3_XXS', 'refused'],
    // its attention tensors are IQ3_XXS (src/llama-quant.cpp:574); llama-quantize stops
    ['IQ3_XS', 'refused'],
    ['Q2_K_S', 'refused'],
    ['IQ3_S', 'made'],
    ['Q4_K_M', 'made'],
  ])('ask for an importance matrix where a type needs one, at the weights: %s is %s without', (toType, verdict) => {
    const made = (options?: Record<string, string>) => {
      const recipe = { tool: 'llama-quantize', fromFormat: 'gguf:F16', toType, ...(options && { options }) };
      const checkpoints = [checkpoint(`gguf:${toType}`, { source: 'recipe', recipe })];
      return refusals(judge({ checkpoints, asked: { weightsFormat: `gguf:${toType}` } }));
    };
    const found = made();
    expect(found.map((f) => [f.nodeId, f.field])).toEqual(
      verdict === 'refused' ? [['n-weightsFormat', 'weightsFormat']] : [],
    );
    for (const { message } of found) expect(message).toContain('lcpp.quant.imatrix');
    expect(made({ imatrix: 'imatrix.dat' })).toEqual([]);
  });

  it('say in one line which facts are missing, and nothing for a server that runs already', () => {
    const open = judge({ ...vllm, target: 'my/model' }).filter((f) => f.code === 'not-checked');
    expect(open).toHaveLength(1);
    expect(open[0]?.severity).toBe('info');
    expect(open[0]?.message).toMatch(
      /^not checked: \d+ constraints of vLLM, because these facts are unknown: .*model\.quant_method.* and \d+ more\.$/,
    );
    expect(judge({ engine: 'endpoint' })).toEqual([]);
  });
});

describe('common set-ups are not refused', () => {
  const kv = ['--kv-cache-dtype', 'fp8', 'kvCacheKeyType'] as LaunchArg;
  it.each<[string, RuleSituation, LaunchArg[]]>([
    ['AWQ 8B on a 4090', { ...vllm, device: 'RTX-4090', checkpoints: [checkpoint('safetensors:awq')] }, []],
    [
      'FP8 30B-A3B with FP8 KV',
      { ...vllm, target: 'Qwen3-30B-A3B', checkpoints: [checkpoint('safetensors:fp8')] },
      [kv],
    ],
    ['GPTQ on A100', { ...vllm, device: 'A100-80GB-SXM', checkpoints: [checkpoint('safetensors:gptq')] }, []],
    ['gpt-oss-120b', { ...vllm, target: 'gpt-oss-120b', checkpoints: [checkpoint('safetensors:mxfp4')] }, []],
    [
      '70B FP8 TP4 on L40S',
      {
        ...vllm,
        target: 'Llama-3.1-70B',
        device: 'L40S',
        devices: 4,
        checkpoints: [checkpoint('safetensors:fp8')],
        asked: { tensorParallel: 4 },
      },
      [['--tensor-parallel-size', '4', 'tensorParallel']],
    ],
    [
      'prompt lookup with prefix caching',
      { ...vllm, checkpoints: plain, asked: { speculation: 'prompt-lookup' } },
      [
        ['--speculative-config', '{"method":"ngram","num_speculative_tokens":4,"prompt_lookup_max":4}', 'speculation'],
        ['--enable-prefix-caching', null],
      ],
    ],
    ['Gemma-3', { ...vllm, target: 'Gemma-3-12B', checkpoints: plain }, []],
    ['T4', { ...vllm, device: 'T4', target: 'Qwen2.5-1.5B', checkpoints: plain }, []],
    ['MI300X FP8', { ...vllm, device: 'MI300X', checkpoints: [checkpoint('safetensors:fp8')] }, []],
    [
      'Q4_K_M with Q8_0 KV and a draft on a CPU',
      { draft: 'inferloom-demo-draft', checkpoints: [checkpoint('gguf:Q4_K_M')] },
      [
        ['--cache-type-k', 'q8_0'],
        ['--cache-type-v', 'q8_0'],
        ['--flash-attn', 'on'],
        ['--spec-type', 'draft-simple'],
        ['--model-draft', 'd.gguf'],
      ],
    ],
  ])('%s', (_, situation, launch) => {
    expect(refusals(judge(situation, launch))).toEqual([]);
  });
});

describe('the context of an arm', () => {
  it('holds arguments by their first spelling, parsed, switches with their sign', () => {
    const { arg, spec } = armContext(
      arm({}, [
        ['--model-draft', 'd.gguf'],
        ['--parallel', '4'],
        ['--no-cache-prompt', null],
        ['--spec-type', 'draft-simple'],
      ]),
    );
    expect(arg).toMatchObject({ spec_draft_model: 'd.gguf', parallel: 4, cache_prompt: false });
    expect(spec).toEqual({ types: ['draft-simple'], on: true });
  });

  it('leaves out what nobody recorded', () => {
    const { model, hw } = armContext(arm({ ...vllm, target: 'my/model', device: 'my-gpu' }));
    expect(Object.values(model ?? {}).filter((value) => value !== undefined)).toEqual([]);
    expect(hw).toEqual({ gpus: 1, gpus_per_node: 1 });
  });

  it('knows latent attention from the facts', () => {
    const mla = (target: string) => armContext(arm({ ...vllm, target })).model?.is_mla;
    expect(mla('Llama-3.1-8B')).toBe(false);
    expect(mla('DeepSeek-V3')).toBe(true);
    expect(mla('my/model')).toBeUndefined();
  });
});

describe('constraints that are judged elsewhere', () => {
  it('exist, and so does the rule that judges them', () => {
    const ids = CONSTRAINT_ENGINES.flatMap((e) => CONSTRAINT_TABLES[e].constraints.map((c) => c.id));
    for (const [constraint, rule] of Object.entries(JUDGED_ELSEWHERE)) {
      expect(ids).toContain(constraint);
      expect(RULES.map((entry) => entry.id)).toContain(rule);
    }
  });
});

import { describe, expect, it } from 'vitest';
import { compilePipeline } from '@/server/core/compile/compile-pipeline';
import { ENGINES } from '@/server/core/engines/index';
import type { Finding } from '@/server/core/plan/finding';
import { CONSTRAINT_ENGINES } from '@/server/core/rules/constraints/tables';
import { JUDGED_ELSEWHERE } from '@/server/core/rules/engine-constraints';
import { RULES } from '@/server/core/rules/index';
import { graphOf, notExpressible } from '@/test/fixtures/constraints/plan-graphs';
import table from '@/test/fixtures/constraints/plans.json';
import type { SetUp } from '@/test/fixtures/constraints/set-up';

const PLANS = table.plans as unknown as SetUp[];
const expressible = PLANS.filter((plan) => notExpressible(plan) === null);

/** Refusals that come before the constraint: by the compiler, or by the lowering of the named setting. */
const REFUSED_BEFORE: Readonly<Record<string, { code: string; says: RegExp }>> = {
  'vllm.quant.matches_ckpt': { code: 'requantization', says: /awq-int4 already/ },
  'trt.hw.nvidia': { code: 'setting-unsupported', says: /NVIDIA GPUs only/ },
  'trt.nvfp4.hw': { code: 'setting-unsupported', says: /NVFP4 math starts with Blackwell/ },
  'trt.fp8.hw': { code: 'setting-unsupported', says: /FP8 math starts with Ada/ },
};

function errorsOf(plan: SetUp): Finding[] {
  const { pipeline } = graphOf(plan);
  return compilePipeline(pipeline, { engines: ENGINES, rules: RULES }).findings.filter((f) => f.severity === 'error');
}

/** Whether a finding is the refusal that the plan expects. */
function refuses(rule: string, { code, message }: Finding): boolean {
  const before = REFUSED_BEFORE[rule];
  const isBefore = before !== undefined && code === before.code && before.says.test(message);
  return message.includes(`(${rule})`) || code === JUDGED_ELSEWHERE[rule] || isBefore;
}

// Reading one command line takes the importer up to two seconds on a busy machine.
describe('the set-ups as graphs', { timeout: 20_000 }, () => {
  it('leaves out only what a graph has no place for', () => {
    const reasons = PLANS.flatMap((plan) => notExpressible(plan) ?? []);
    const counts = Object.fromEntries([...new Set(reasons)].map((r) => [r, reasons.filter((x) => x === r).length]));
    expect(counts).toEqual({
      'where the engine runs is the exporter’s business': 8,
      'a weight format that the catalogue does not name': 2,
      'a precision or provider of the model builder that its importer keeps as raw arguments': 3,
      'generation settings of genai_config.json': 4,
      'no device of the table stands for it': 1,
      'a quantization config of the Python API': 3,
      'generation settings of the Python API': 3,
      'whether a plugin is installed is known on the worker only': 1,
      'a GGUF file under an engine whose checkpoints are safetensors': 1,
      'tokens of a GGUF vocabulary, which no table holds': 1,
    });
    expect(expressible).toHaveLength(169);
    expect(new Set(expressible.map(({ engine }) => engine))).toEqual(new Set(CONSTRAINT_ENGINES));
  });

  it.each(expressible.filter((plan) => plan.expect === 'valid'))('$engine: $name is not refused', (plan) => {
    expect(errorsOf(plan).map(({ code, message }) => `${code}: ${message}`)).toEqual([]);
  });

  it.each(expressible.filter((plan) => plan.expect === 'invalid'))('$engine: $name is refused by $rule', (plan) => {
    const errors = errorsOf(plan);
    const matching = errors.filter((found) => refuses(plan.rule ?? '', found));
    expect(matching, JSON.stringify(errors.map(({ message }) => message))).not.toEqual([]);
    for (const found of matching) {
      expect(found.nodeId).not.toBeNull();
      expect(found.source).not.toBe('');
    }
  });
});

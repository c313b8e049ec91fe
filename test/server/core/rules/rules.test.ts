import { describe, expect, it } from 'vitest';
import { RULES } from '@/server/core/rules/index';
import { checkpoint } from '@/test/fixtures/lowering-context';
import { type RuleSituation, ruleContext, workload } from '@/test/fixtures/rule-context';

/** Findings of one rule, written short: `severity code node: message`. */
function judge(id: string, situation: RuleSituation): string[] {
  const rule = RULES.find((entry) => entry.id === id);
  if (rule === undefined) throw new Error(`no rule ${id}`);
  return rule.check(ruleContext(situation)).map((f) => `${f.severity} ${f.code} ${f.nodeId}: ${f.message}`);
}

const closed = (concurrency: number) => [workload({ loads: [{ mode: 'closed', concurrency }] })];
const open = [workload({ loads: [{ mode: 'poisson', ratePerS: 2 }] })];
const llama = { target: 'Llama-3.1-8B' };
const draft = { speculation: 'draft-model', draftTokens: 3 } as const;

describe.each<[string, RuleSituation, RegExp | null]>([
  ['context-covers-workload', { asked: { contextTokensPerSequence: 256 } }, null],
  ['context-covers-workload', { asked: { contextTokensPerSequence: 255 } }, /^error .*needs 256 tokens.*holds 255/],
  ['context-covers-workload', { asked: { contextTokensPerSequence: 210, sinkTokens: 4 } }, null],
  ['context-covers-workload', { asked: { contextTokensPerSequence: 200, sinkTokens: 4 } }, /^error .*prompt of 200/],
  ['context-within-model', { asked: { contextTokensPerSequence: 2048 } }, null],
  ['context-within-model', { asked: { contextTokensPerSequence: 4096 } }, /^warning .*made for 2048/],
  [
    'context-within-model',
    { engine: 'vllm', ...llama, asked: { contextTokensPerSequence: 200_000 } },
    /^error .*refused/,
  ],
  [
    'context-within-model',
    { target: 'my/model', asked: { contextTokensPerSequence: 9 } },
    /^info not-checked model: .*my\/model/,
  ],
  ['draft-tokenizer', { draft: 'inferloom-demo-draft', asked: draft }, null],
  ['draft-tokenizer', { draft: 'Llama-3.2-1B', asked: draft }, /^error .*cannot draft for inferloom-demo/],
  ['draft-tokenizer', { draft: 'my/draft', asked: draft }, /^info not-checked draft: .*tokenizer of my\/draft/],
  ['draft-tokenizer', { draft: 'Llama-3.2-1B' }, null],
  ['draft-size', { draft: 'inferloom-demo-draft', asked: draft }, null],
  ['draft-size', { ...llama, draft: 'Llama-3.2-1B', asked: draft }, null],
  ['draft-size', { ...llama, draft: 'Llama-3.2-3B', asked: draft }, /^warning .*40 % .*about 2\.2 plain ones/],
  ['draft-size', { draft: 'my/draft', asked: draft }, /not-checked/],
  ['speculation-beams', { engine: 'vllm', asked: { ...draft, beams: 4 } }, /^error .*n-beams: 4 beams/],
  ['speculation-beams', { engine: 'vllm', asked: { beams: 4 } }, null],
  ['speculation-min-p', { engine: 'vllm', asked: { ...draft, minP: 0.1 } }, /^error /],
  ['speculation-min-p', { asked: { ...draft, minP: 0.1 } }, null],
  [
    'speculation-concurrency',
    { asked: { ...draft, maxSequences: 32 }, workloads: closed(32) },
    /^warning .*32 streams/,
  ],
  ['speculation-concurrency', { asked: { ...draft, maxSequences: 4 }, workloads: closed(32) }, null],
  [
    'prompt-lookup-range',
    { asked: { speculation: 'prompt-lookup', promptLookupMinTokens: 5, promptLookupMaxTokens: 3 } },
    /^error /,
  ],
  [
    'prompt-lookup-range',
    { asked: { speculation: 'prompt-lookup', promptLookupMinTokens: 2, promptLookupMaxTokens: 3 } },
    null,
  ],
  ['sink-window-fits', { asked: { sinkTokens: 4, contextTokensPerSequence: 256 } }, null],
  ['sink-window-fits', { asked: { sinkTokens: 200, contextTokensPerSequence: 256 } }, /^error .*leave 56 of 256/],
  [
    'quantized-values-need-flash',
    { asked: { kvCacheValueType: 'Q8_0', flashAttention: 'off' } },
    /^error .*n-flashAttention/,
  ],
  ['quantized-values-need-flash', { asked: { kvCacheValueType: 'Q8_0', flashAttention: 'on' } }, null],
  ['quantized-values-need-flash', { asked: { kvCacheValueType: 'Q8_0' } }, null],
  ['quantized-values-need-flash', { asked: { kvCacheKeyType: 'Q8_0', flashAttention: 'off' } }, null],
  ['kv-type-blocks', { asked: { kvCacheKeyType: 'Q8_0' } }, null],
  ['kv-type-blocks', { target: 'my/model', asked: { kvCacheKeyType: 'Q8_0' } }, /not-checked .*head size/],
  ['kv-type-mixed', { asked: { kvCacheKeyType: 'Q8_0', kvCacheValueType: 'Q8_0' } }, null],
  ['kv-type-mixed', { asked: { kvCacheKeyType: 'Q8_0', kvCacheValueType: 'Q4_0' } }, /^info .*fine on a CPU/],
  [
    'kv-type-mixed',
    { device: 'RTX-4090', asked: { kvCacheKeyType: 'Q8_0', kvCacheValueType: 'Q4_0' } },
    /^warning .*on the CPU/,
  ],
  ['kv-type-mixed', { device: 'RTX-4090', asked: { kvCacheKeyType: 'Q5_0', kvCacheValueType: 'Q5_0' } }, /^warning /],
  [
    'kv-type-mixed',
    { device: 'my-gpu', asked: { kvCacheKeyType: 'Q8_0', kvCacheValueType: 'Q4_0' } },
    /not-checked .*vendor/,
  ],
  ['threads-within-cores', { asked: { threads: 1 } }, null],
  ['threads-within-cores', { asked: { threads: 4 } }, /not-checked .*cores of cpu-local/],
  ['threads-within-cores', { device: 'CPU-EPYC-7763-1S', asked: { threads: 1024 } }, /^warning .*1024 threads/],
  ['prefix-caching-without-prefix', { asked: { prefixCaching: 'on' } }, /^info .*can only cost/],
  [
    'prefix-caching-without-prefix',
    { asked: { prefixCaching: 'on' }, workloads: [workload({ prefixTokens: 8 })] },
    null,
  ],
  ['prefix-caching-without-prefix', { asked: { prefixCaching: 'off' } }, null],
  ['sequences-below-concurrency', { asked: { maxSequences: 4 } }, null],
  ['sequences-below-concurrency', { asked: { maxSequences: 2 } }, /^warning .*2 wait/],
  ['sequences-below-concurrency', {}, /^warning .*decodes 1 at once/],
  ['sequences-below-concurrency', { engine: 'vllm' }, /not-checked/],
  ['sequences-below-concurrency', { engine: 'endpoint' }, null],
  ['queue-limit-load', { asked: { queueLimit: 1, maxSequences: 2 } }, /^warning .*4 clients.*429 all the time/],
  ['queue-limit-load', { asked: { queueLimit: 2, maxSequences: 2 } }, null],
  ['queue-limit-load', { asked: { queueLimit: 2, maxSequences: 2 }, workloads: open }, /^info .*sheds requests/],
  ['tensor-parallel-heads', { engine: 'vllm', ...llama, asked: { tensorParallel: 8 } }, null],
  ['tensor-parallel-heads', { engine: 'vllm', ...llama, asked: { tensorParallel: 16 } }, /^warning .*kept 2 times/],
  ['tensor-parallel-heads', { engine: 'vllm', ...llama, asked: { tensorParallel: 3 } }, /^error .*do not split over 3/],
  ['tensor-parallel-heads', { engine: 'vllm', target: 'my/model', asked: { tensorParallel: 2 } }, /not-checked/],
  ['idle-devices', { engine: 'vllm', ...llama, device: 'H100-SXM', devices: 2 }, /^warning .*1 of them idle/],
  ['idle-devices', { engine: 'vllm', ...llama, device: 'H100-SXM', devices: 2, asked: { tensorParallel: 2 } }, null],
  ['quantization-blocks', { checkpoints: [checkpoint({ format: 'gguf:Q4_K_M' })] }, null],
  [
    'quantization-blocks',
    { draft: 'inferloom-demo-draft', checkpoints: [checkpoint({ scope: 'draft', format: 'gguf:Q4_K_M' })] },
    /^info .*rows of 128, 384.*fall back/,
  ],
  [
    'quantization-blocks',
    { draft: 'inferloom-demo-draft', checkpoints: [checkpoint({ scope: 'draft', format: 'gguf:Q8_0' })] },
    null,
  ],
  [
    'quantization-blocks',
    { target: 'my/model', checkpoints: [checkpoint({ format: 'gguf:Q4_K_M' })] },
    /not-checked .*row widths/,
  ],
  [
    'gguf-conversion',
    {
      ...llama,
      checkpoints: [
        checkpoint({
          source: 'recipe',
          format: 'gguf:Q4_K_M',
          recipe: { tool: 'llama-quantize', fromFormat: 'safetensors:bfloat16', toType: 'Q4_K_M' },
        }),
      ],
    },
    /^warning .*convert_hf_to_gguf\.py/,
  ],
  ['gguf-conversion', { checkpoints: [checkpoint()] }, null],
])('%s, %j', (id, situation, expected) => {
  it(expected === null ? 'is content' : `says ${expected.source}`, () => {
    const found = judge(id, situation);
    if (expected === null) expect(found).toEqual([]);
    else {
      expect(found).toHaveLength(1);
      expect(found[0]).toMatch(expected);
    }
  });
});

describe('every rule', () => {
  it('has an id of its own and a source', () => {
    expect(new Set(RULES.map((rule) => rule.id)).size).toBe(RULES.length);
    for (const rule of RULES) {
      expect(rule.source.length).toBeGreaterThan(8);
      expect(rule.id).toMatch(/^[a-z][a-z-]+$/);
    }
  });

  it('names its source and fixes only parameters of nodes that are there', () => {
    const asked = {
      contextTokensPerSequence: 100,
      maxSequences: 2,
      kvCacheValueType: 'Q8_0',
      flashAttention: 'off',
    } as const;
    const context = ruleContext({ asked });
    const findings = RULES.flatMap((rule) => rule.check(context));
    expect(findings.length).toBeGreaterThan(2);
    for (const found of findings) {
      expect(found.source).not.toBeNull();
      for (const edit of found.fix?.edits ?? []) {
        expect(edit.op === 'set-param' && context.nodes.map((node) => node.id)).toContain(
          (edit as { nodeId: string }).nodeId,
        );
      }
    }
  });
});

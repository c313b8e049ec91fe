import { describe, expect, it } from 'vitest';
import type { GatewayPolicy, ScalingPolicy } from '@/server/core/plan/policies';
import { RULES } from '@/server/core/rules/index';
import { checkpoint } from '@/test/fixtures/lowering-context';
import { type RuleSituation, ruleContext, workload } from '@/test/fixtures/rule-context';

/** Findings of one rule, written short: `severity code node: message`. */
function judge(id: string, situation: RuleSituation): string[] {
  const rule = RULES.find((entry) => entry.id === id);
  if (rule === undefined) throw new Error(`no rule ${id}`);
  return rule.check(ruleContext(situation)).map((f) => `${f.severity} ${f.code} ${f.nodeId}: ${f.message}`);
}

const plain = [checkpoint({ format: 'safetensors:bfloat16' })];
const llama8 = { target: 'Llama-3.1-8B', checkpoints: plain } as const satisfies RuleSituation;
const llama70 = { target: 'Llama-3.1-70B', checkpoints: plain } as const satisfies RuleSituation;
const online = workload({
  slos: [
    { metric: 'ttftMs', limitMs: 400, percentile: 99 },
    { metric: 'tpotMs', limitMs: 50, percentile: 99 },
  ],
});
const long = workload({ inputTokens: 8192, outputTokens: 512, loads: [{ mode: 'closed', concurrency: 64 }] });
const batch = workload({ inputTokens: 4096, loads: [{ mode: 'closed', concurrency: 64 }] });
const gateway = (over: Partial<GatewayPolicy>): GatewayPolicy => ({
  nodeIds: ['gate'],
  apiKeySecrets: [],
  rateLimits: [],
  maxInFlight: null,
  queueLimit: null,
  queueTimeoutS: null,
  breaker: null,
  requestTimeoutS: null,
  shortFirstTokens: null,
  maxBodyBytes: null,
  maxOutputTokens: null,
  ...over,
});
const scaling = (metric: ScalingPolicy['metric']): ScalingPolicy => ({
  nodeIds: ['scale'],
  minReplicas: 1,
  maxReplicas: 4,
  metric,
  target: metric === null ? null : 1,
  scaleDownAfterS: 300,
  pollS: 30,
});

describe.each<[string, RuleSituation, RegExp | null]>([
  // Memory: 70.6 G parameters × 2 bytes = 131.4 GiB.
  [
    'fit-in-memory',
    { engine: 'vllm', ...llama70, device: 'H100-SXM' },
    /^error .*131\.4 GiB of weights .*÷ 1 = 131\.4 GiB.*which has 79\.6 GiB/,
  ],
  ['fit-in-memory', { engine: 'vllm', ...llama70, device: 'H100-SXM', devices: 4, asked: { tensorParallel: 4 } }, null],
  [
    'fit-in-memory',
    { engine: 'vllm', ...llama70, device: 'H100-SXM', devices: 2, asked: { tensorParallel: 2 }, workloads: [long] },
    /^warning .*73\.3 GiB \(0\.92 × 79\.6 GiB\) − weights 65\.7 GiB .*needed are 64 × 1\.3 GiB .*about 4 of 64 run at once/,
  ],
  [
    'fit-in-memory',
    { engine: 'vllm', ...llama8, device: 'RTX-4090', checkpoints: [checkpoint({ format: 'safetensors:awq-int4' })] },
    null,
  ],
  [
    'fit-in-memory',
    { engine: 'vllm', target: 'my/model', device: 'H100-SXM', checkpoints: plain },
    /^info not-checked .*parameters of my\/model/,
  ],
  [
    'fit-in-memory',
    { ...llama70, device: 'RTX-4090', checkpoints: [checkpoint({ format: 'gguf:Q8_0' })] },
    /^warning .*does not fit/,
  ],
  ['fit-in-memory', {}, null],
  [
    'ranks-within-devices',
    { engine: 'vllm', ...llama8, device: 'L40S', devices: 4, asked: { tensorParallel: 2, pipelineParallel: 2 } },
    null,
  ],
  [
    'ranks-within-devices',
    { engine: 'sglang', ...llama8, device: 'L40S', devices: 2, asked: { tensorParallel: 2, pipelineParallel: 2 } },
    /^error .*tensorParallel 2 × pipelineParallel 2 = 4 ranks.*2 × L40S/,
  ],
  ['expert-parallel-split', { engine: 'vllm', target: 'Qwen3-30B-A3B', asked: { expertParallel: 8 } }, null],
  [
    'expert-parallel-split',
    { engine: 'vllm', target: 'Qwen3-30B-A3B', asked: { expertParallel: 3 } },
    /^warning .*128 experts over 3 ranks: some ranks hold 43, others 42/,
  ],
  ['expert-parallel-split', { engine: 'vllm', ...llama8, asked: { expertParallel: 2 } }, /^error .*no experts/],
  [
    'expert-parallel-split',
    { engine: 'vllm', target: 'my/model', asked: { expertParallel: 2 } },
    /not-checked .*experts of my/,
  ],
  [
    'objective-mismatch',
    { engine: 'vllm', asked: { prefillTokensPerStep: 32768 }, workloads: [online] },
    /^warning .*TPOT to 50 ms.*32768 prompt tokens/,
  ],
  ['objective-mismatch', { engine: 'vllm', asked: { prefillTokensPerStep: 2048 }, workloads: [online] }, null],
  [
    'objective-mismatch',
    { engine: 'vllm', asked: { chunkedPrefill: 'off' }, workloads: [online] },
    /^warning .*without chunked prefill/,
  ],
  [
    'objective-mismatch',
    { engine: 'tensorrt-llm', asked: { batchWaitMs: 400 }, workloads: [online] },
    /^error .*wait up to 400 ms.*of the 400 ms/,
  ],
  [
    'objective-mismatch',
    { engine: 'vllm', asked: { streamIntervalTokens: 8 }, workloads: [online] },
    /^warning .*8 tokens at a time/,
  ],
  [
    'objective-mismatch',
    { engine: 'vllm', asked: { prefillTokensPerStep: 512 }, workloads: [batch] },
    /^warning .*64 clients.*8 times/,
  ],
  ['objective-mismatch', { engine: 'vllm', asked: { prefillTokensPerStep: 8192 }, workloads: [batch] }, null],
  [
    'quantized-twice',
    {
      engine: 'vllm',
      target: 'DeepSeek-V3',
      checkpoints: [checkpoint({ format: 'safetensors:fp8', source: 'online', repo: 'deepseek-ai/DeepSeek-V3' })],
    },
    /^error .*published in fp8 with blocks of 128/,
  ],
  [
    'quantized-twice',
    {
      engine: 'vllm',
      target: 'DeepSeek-V3',
      checkpoints: [checkpoint({ format: 'safetensors:fp8-block', repo: 'deepseek-ai/DeepSeek-V3' })],
    },
    null,
  ],
  [
    'number-format-device',
    { engine: 'sglang', ...llama8, device: 'A100-80GB-SXM', checkpoints: [checkpoint({ format: 'safetensors:fp8' })] },
    /^warning .*compute capability 8\.0; fp8 weights .*from 8\.9/,
  ],
  [
    'number-format-device',
    { engine: 'sglang', ...llama8, device: 'H100-SXM', checkpoints: [checkpoint({ format: 'safetensors:fp8' })] },
    null,
  ],
  [
    'number-format-device',
    { engine: 'sglang', ...llama8, device: 'H100-SXM', checkpoints: [checkpoint({ format: 'safetensors:nvfp4' })] },
    /^warning .*from 10\.0/,
  ],
  [
    'number-format-device',
    { engine: 'sglang', ...llama8, device: 'MI300X', checkpoints: [checkpoint({ format: 'safetensors:fp8' })] },
    null,
  ],
  [
    'number-format-device',
    { engine: 'sglang', ...llama8, device: 'T4', asked: { computeDtype: 'bfloat16' } },
    /^warning .*bfloat16/,
  ],
  [
    'number-format-device',
    { engine: 'sglang', ...llama8, device: 'my-gpu', asked: { kvCacheKeyType: 'FP8' } },
    /not-checked .*compute capability/,
  ],
  [
    'prefix-caching-off',
    { engine: 'vllm', asked: { prefixCaching: 'off' }, workloads: [workload({ prefixTokens: 100 })] },
    /^warning .*100 of 200 prompt tokens \(50 %\)/,
  ],
  ['prefix-caching-off', { engine: 'vllm', asked: { prefixCaching: 'off' } }, null],
  [
    'prefix-caching-off',
    { engine: 'vllm', asked: { prefixCaching: 'on' }, workloads: [workload({ prefixTokens: 100 })] },
    null,
  ],
  [
    'gateway-limits-workload',
    { policies: { gateway: gateway({ queueTimeoutS: 10, queueLimit: 8 }) }, workloads: [online] },
    /^warning .*wait 10 s.*longer than the 400 ms/,
  ],
  [
    'gateway-limits-workload',
    { policies: { gateway: gateway({ queueTimeoutS: 0.2, queueLimit: 8 }) }, workloads: [online] },
    null,
  ],
  [
    'gateway-limits-workload',
    { policies: { gateway: gateway({ queueTimeoutS: 90, queueLimit: 8 }) } },
    /^warning .*give up after 60 s/,
  ],
  [
    'gateway-limits-workload',
    { policies: { gateway: gateway({ maxOutputTokens: 32 }) } },
    /^error .*asks for 56 tokens, the gateway allows 32/,
  ],
  [
    'gateway-limits-workload',
    { policies: { gateway: gateway({ maxInFlight: 2, queueLimit: 1 }) } },
    /^warning .*4 clients.*429/,
  ],
  ['scaling-metric', { engine: 'vllm', policies: { scaling: scaling('queueLength') } }, null],
  [
    'scaling-metric',
    { engine: 'llama.cpp', policies: { scaling: scaling('ttftMsP95') } },
    /^error .*exports no ttftMsP95; it exports /,
  ],
  [
    'scaling-metric',
    { engine: 'vllm', policies: { scaling: scaling('queueLength') }, asked: { metricsEndpoint: 'off' } },
    /^error .*switched off/,
  ],
  ['scaling-metric', { engine: 'vllm', policies: { scaling: scaling(null) } }, null],
  [
    'cpu-offload-cost',
    { engine: 'vllm', ...llama8, device: 'H100-SXM', asked: { cpuOffloadBytes: 64e9 } },
    /^info .*59\.6 GiB.*PCIe 5\.0 x16 \(64 GB\/s one way\): at least 1000 ms/,
  ],
  [
    'cpu-offload-cost',
    { engine: 'vllm', ...llama8, device: 'H100-SXM', devices: 2, asked: { cpuOffloadBytes: 64e9, tensorParallel: 2 } },
    /^warning .*2 ranks keep 119\.2 GiB/,
  ],
  [
    'speculator-for-target',
    { engine: 'vllm', ...llama8, draft: 'Tengyunw/qwen3_8b_eagle3', asked: { speculation: 'eagle3' } },
    /^error .*trained for Qwen3-8B/,
  ],
  [
    'speculator-for-target',
    { engine: 'vllm', ...llama8, draft: 'yuhuili/EAGLE3-LLaMA3.1-Instruct-8B', asked: { speculation: 'eagle3' } },
    null,
  ],
  [
    'speculator-for-target',
    { engine: 'vllm', ...llama8, draft: 'my/head', asked: { speculation: 'eagle3' } },
    /not-checked .*my\/head was trained for/,
  ],
  ['mtp-layers', { engine: 'sglang', ...llama8, asked: { speculation: 'mtp' } }, /^error .*no MTP layers/],
  ['mtp-layers', { engine: 'sglang', target: 'DeepSeek-V3', asked: { speculation: 'mtp' } }, null],
  ['mtp-layers', { engine: 'sglang', target: 'my/model', asked: { speculation: 'mtp' } }, /not-checked/],
  [
    'context-within-model',
    { engine: 'sglang', ...llama8, asked: { contextTokensPerSequence: 200_000 } },
    /^error .*refused by SGLang/,
  ],
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

describe('the baseline that nobody drew', () => {
  it('says what does not fit, and how to declare one that does', () => {
    const rule = RULES.find(({ id }) => id === 'fit-in-memory');
    const context = ruleContext({ engine: 'vllm', ...llama70, device: 'H100-SXM', devices: 4 });
    const deployment = { id: 'dep', type: 'deployment', scope: 'target', params: {} } as const;
    const made = { ...context, isBaseline: true, deploymentNodeId: null, nodes: [deployment] };
    const [found, other] = rule?.check(made) ?? [];
    expect(found?.message).toMatch(/^The baseline with the engine's defaults: Llama-3\.1-70B does not fit/);
    expect(found?.fix?.label).toBe('Declare a baseline with TP 2, the smallest that fits');
    expect(other?.fix?.edits).toEqual([{ op: 'set-param', nodeId: 'dep', field: 'baseline', value: true }]);
    const [alone] = rule?.check({ ...made, hardware: { ...made.hardware, count: 1 } }) ?? [];
    expect(alone?.fix).toEqual(other?.fix);
  });
});

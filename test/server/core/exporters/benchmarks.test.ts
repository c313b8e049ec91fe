import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { ExportContext } from '@/server/core/exporters/exporter';
import type { MeasuredTrial } from '@/server/core/exporters/trial-evidence';
import type { Value } from '@/server/core/metrics/value';
import { bashArrays } from '@/test/fixtures/bash-words';
import { exported, fileOf } from '@/test/fixtures/export-form';
import { endpointPlan, vllmPlan, WORKLOAD } from '@/test/fixtures/gateway-plans';
import {
  benchmarkReport,
  GUIDELLM_FLAGS,
  GUIDELLM_PARTS,
  readFlags,
  VLLM_BENCH_FLAGS,
} from '@/test/schemas/benchmarks';
import { faultsOf } from '@/test/schemas/check-file';

const value = (n: number, unit: string): Value => ({
  value: n,
  low: null,
  high: null,
  unit,
  n: 5,
  interval: null,
  mark: null,
});
const trialOf = (stamp: 'MEASURED' | 'SIMULATED', valid = true): MeasuredTrial => ({
  plan: vllmPlan(),
  measuredAt: new Date('2026-01-02T03:04:05Z'),
  seed: 7,
  outcome: {
    stamp,
    quality: null,
    points: [
      {
        workload: 'chat',
        role: 'target',
        load: { mode: 'closed', concurrency: 4 },
        windowS: 30,
        metrics: {
          ttftMsMean: value(100, 'ms'),
          ttftMsP50: value(90, 'ms'),
          ttftMsP999: value(300, 'ms'),
          tpotMsMean: value(10, 'ms'),
          outputTokensPerS: value(90, 'tokens/s'),
          totalTokensPerS: value(400, 'tokens/s'),
          requestsPerS: value(3.3, 'requests/s'),
        },
        valid,
        reasons: [],
        saturated: false,
        requests: 100,
        outcomes: { ok: 97, error: 2, shed: 1 },
      },
    ],
  },
});
const none: ExportContext = { workloads: [WORKLOAD], trial: null };
const measured: ExportContext = { workloads: [WORKLOAD], trial: trialOf('MEASURED') };

describe('vllm bench serve', () => {
  const script = (context: ExportContext): string =>
    fileOf(vllmPlan(), 'vllm-bench-serve', 'vllm-bench-serve.sh', context);
  const runs = (context: ExportContext) =>
    bashArrays(script(context), { base_url: 'http://x' }).map((words) => readFlags(words, VLLM_BENCH_FLAGS));

  it('is the golden file, twice the same', async () => {
    await expect(script(none)).toMatchFileSnapshot('../../../golden/exports/vllm-bench-serve.sh');
    expect(script(none)).toBe(script(none));
  });

  it('has only flags of that version, with values that fit', () => {
    expect(runs(none).flatMap(({ faults }) => faults)).toEqual([]);
    expect(runs(measured).flatMap(({ faults }) => faults)).toEqual([]);
    expect(runs(none)).toHaveLength(WORKLOAD.loads.length);
  });

  it('makes the traffic of the workload', () => {
    const [closed, , poisson, constant] = runs(none).map(({ values }) => values);
    expect(closed).toMatchObject({
      '--random-input-len': ['60'],
      '--random-prefix-len': ['40'],
      '--random-output-len': ['28'],
      '--random-range-ratio': ['0'],
      '--max-concurrency': ['4'],
      '--request-rate': ['inf'],
      '--backend': ['openai-chat'],
      '--goodput': ['ttft:500', 'tpot:60', 'e2el:3000'],
      '--ignore-eos': [],
    });
    expect(poisson).toMatchObject({
      '--request-rate': ['2'],
      '--burstiness': ['1.0'],
      '--num-prompts': ['60'],
      '--num-warmups': ['10'],
    });
    expect(constant).toMatchObject({ '--request-rate': ['1.5'], '--burstiness': ['inf'], '--num-prompts': ['45'] });
  });

  it('takes seed and number of requests from the measured run', () => {
    const [closed] = runs(measured).map(({ values }) => values);
    expect(closed).toMatchObject({ '--seed': ['7'], '--num-prompts': ['99'], '--num-warmups': ['17'] });
    expect(runs(none)[0]?.values).toMatchObject({ '--seed': ['42'], '--num-prompts': ['80'], '--num-warmups': ['4'] });
    expect(
      exported(vllmPlan(), 'vllm-bench-serve', none)
        .findings.map((f) => f.message)
        .join('\n'),
    ).toMatch(/no run tells how many/);
  });

  it('keeps the key a reference', () => {
    expect(script(none)).toContain('export OPENAI_API_KEY="${' + 'INFERLOOM_SECRET_API_KEY:?set it to the secret}"');
  });
});

describe('GuideLLM', () => {
  const script = (context: ExportContext, plan = vllmPlan()): string =>
    fileOf(plan, 'guidellm-benchmark', 'guidellm.sh', context);
  const runs = (text: string) =>
    bashArrays(text, {
      backend: '{"kind":"openai_http","target":"http://x","model":"m","request_format":"/v1/completions"}',
    }).map((words) => readFlags(words, GUIDELLM_FLAGS));

  it('is the golden file, twice the same', async () => {
    await expect(script(none)).toMatchFileSnapshot('../../../golden/exports/guidellm.sh');
    expect(script(none)).toBe(script(none));
  });

  it('has only options and fields of that version', () => {
    const all = [...runs(script(none)), ...runs(script(none, endpointPlan('https://gpu.example/v1')))];
    expect(all.flatMap(({ faults }) => faults)).toEqual([]);
    for (const { values } of all) {
      for (const [flag, schema] of Object.entries(GUIDELLM_PARTS)) {
        const [json] = values[flag] ?? [];
        if (json !== undefined) expect(faultsOf(schema, JSON.parse(json))).toEqual([]);
      }
    }
  });

  it('runs loads of one kind together, for warm-up and window', () => {
    const parts = runs(script(none)).map(({ values }) =>
      [values['--profile'], values['--constraint'], values['--data']].map((v) => JSON.parse(v?.[0] ?? '{}')),
    );
    expect(parts.map(([profile]) => [profile.kind, profile.streams ?? profile.rate])).toEqual([
      ['concurrent', [4, 8]],
      ['constant', [1.5]],
      ['poisson', [2]],
    ]);
    expect(parts[0]?.[0].warmup).toEqual({ mode: 'duration', value: 5 });
    expect(parts[0]?.[1]).toEqual({ kind: 'max_duration', seconds: 35 });
    expect(parts[0]?.[2]).toMatchObject({ prompt_tokens: 60, prefix_tokens: 40, output_tokens: 28 });
  });

  it('needs a workload', () => {
    expect(exported(vllmPlan(), 'guidellm-benchmark').findings).toMatchObject([
      { severity: 'error', code: 'no-workload' },
    ]);
  });
});

describe('llm-d Benchmark Report', () => {
  it('states what was measured, in its schema', async () => {
    const content = fileOf(vllmPlan(), 'llm-d-benchmark-report', 'benchmark-report-chat-closed-4.yaml', measured);
    await expect(content).toMatchFileSnapshot('../../../golden/exports/benchmark-report.yaml');
    const report = parse(content);
    expect(faultsOf(benchmarkReport, report)).toEqual([]);
    const { requests, throughput, latency } = report.results.request_performance.aggregate;
    expect(requests).toMatchObject({ total: 100, failures: 3 });
    expect(latency.time_to_first_token).toEqual({ units: 's', mean: 0.1, p50: 0.09, p99p9: 0.3 });
    expect(throughput.input_token_rate).toEqual({ units: 'tokens/s', mean: 310 });
    expect(report.scenario.load.standardized).toMatchObject({ concurrency: 4, input_seq_len: { value: 100 } });
    expect(report.scenario.stack[0].native.envars).toEqual({ VLLM_API_KEY: '$INFERLOOM_SECRET_API_KEY' });
  });

  it.each([
    ['no run', none, /no valid run/],
    ['a simulated run', { ...none, trial: trialOf('SIMULATED') }, /is SIMULATED/],
    ['an invalid run', { ...none, trial: trialOf('MEASURED', false) }, /no point of the run is valid/],
    [
      'another plan',
      { ...none, trial: { ...trialOf('MEASURED'), plan: { ...vllmPlan(), planHash: 'other' } } },
      /another plan/,
    ],
  ])('is refused for %s', (_, context, reason) => {
    const { files, findings } = exported(vllmPlan(), 'llm-d-benchmark-report', context);
    expect(files).toEqual([]);
    expect(findings).toMatchObject([{ severity: 'error', code: 'evidence-required' }]);
    expect(findings[0]?.message).toMatch(reason);
  });
});

import type { Command } from 'commander';
import { Option } from 'commander';
import { measurePoint } from '@/server/core/metrics/measure-point';
import { METRIC_INFO } from '@/server/core/metrics/metric-info';
import { detectDegenerate } from '@/server/core/quality/degenerate';
import { buildReport } from '@/server/core/run/build-report';
import type { Report } from '@/server/core/run/report';
import type { Point, Quality, TrialOutcome } from '@/server/core/run/trial';
import type { Workload } from '@/server/core/workload/workload';
import { createCalibrations } from '../load/calibrations';
import type { LoadResult } from '../load/load-types';
import { probeEndpoint } from '../load/probe-endpoint';
import { runLoad } from '../load/run-load';
import { type BenchOptions, benchSpec, benchWorkload } from './bench-spec';
import { readCountOption, readNumberOption } from './number-option';
import { workFolder } from './run-local';
import { ExitError, printJson, type Verb } from './verb';

const say = (text: string): void => {
  process.stderr.write(`${text}\n`);
};

const LOOPBACK = /^(localhost|127\.|\[::1\])/;

async function startLoad(options: BenchOptions, workload: Workload, signal: AbortSignal): Promise<LoadResult> {
  const [load] = workload.loads;
  if (!load) throw new RangeError('the workload has no load');
  const stampError = await createCalibrations(workFolder(process.env))(load, signal);
  const result = await runLoad({
    url: options.url,
    model: options.model,
    apiKey: options.apiKey ?? null,
    workload,
    load,
    loadIndex: 0,
    seed: options.seed,
    blockIndex: 0,
    request: {},
    maxRequests: options.requests ?? null,
    onEngineHost: LOOPBACK.test(new URL(options.url).hostname),
    counters: null,
    onPhase: (phase) => say(phase),
    onSecond: (row) => {
      if (row.t >= 0 && row.t % 5 === 0) say(`${row.t} s: ${row.outputTokens} tokens/s, ${row.inFlight} in flight`);
    },
    signal,
  });
  return { ...result, client: { ...result.client, stampError } };
}

function qualityOf(result: LoadResult): Quality {
  const texts = result.records.flatMap((r) => (r.phase === 'measure' && r.text !== null ? [r.text] : []));
  const none = { perplexity: null, klDivergence: null, top1Agreement: null, noiseFloor: null, tokens: 0 };
  return { ...none, degenerate: detectDegenerate(texts) };
}

function outcomeOf(point: Point, quality: Quality, stamp: TrialOutcome['stamp']): TrialOutcome {
  return {
    state: 'succeeded',
    valid: point.valid,
    reasons: point.reasons,
    points: [point],
    effective: [],
    quality,
    engineStartMs: null,
    peakMemoryBytes: null,
    findings: [],
    cause: null,
    command: [],
    stamp,
  };
}

function printTable(report: Report): void {
  const result = report.deployments[0]?.results[0];
  const lines = [`${report.stamp} ${report.sentence}`, ...report.notes];
  for (const [key, value] of Object.entries(result?.metrics ?? {})) {
    if (value.value === null) continue;
    const range =
      value.low === null || value.high === null ? '' : ` (${value.low.toFixed(2)}–${value.high.toFixed(2)})`;
    const mark = value.mark === null ? '' : `  ${value.mark}`;
    lines.push(`${METRIC_INFO[key]?.label ?? key}: ${value.value.toFixed(2)} ${value.unit}${range}${mark}`);
  }
  const reasons = result?.trials[0]?.reasons ?? [];
  process.stdout.write(`${[...lines, ...reasons].join('\n')}\n`);
}

async function measureEndpoint(options: BenchOptions): Promise<void> {
  const workload = benchWorkload(options);
  const spec = benchSpec(options, workload);
  const startedAt = new Date().toISOString();
  const abort = new AbortController();
  process.once('SIGINT', () => abort.abort());
  process.once('SIGTERM', () => abort.abort());
  const fail = (error: Error): never => {
    throw new ExitError(1, error.message);
  };
  const facts = await probeEndpoint(options.url, options.apiKey ?? null).catch(fail);
  if (facts && facts.models.length > 0 && !facts.isSimulator && !facts.models.includes(options.model)) {
    say(`note: the server lists other models: ${facts.models.slice(0, 5).join(', ')}`);
  }
  const result = await startLoad(options, workload, abort.signal).catch(fail);
  const [load] = workload.loads;
  if (!load) throw new RangeError('the workload has no load');
  const physics = { facts: null, skipped: 'the hardware behind an endpoint is unknown' };
  const point = measurePoint({ ...result, workload, load, gpus: null, pricePerHourUsd: null, physics });
  const outcome = outcomeOf(point, qualityOf(result), facts?.isSimulator ? 'SIMULATED' : 'MEASURED');
  const trial = { trialId: 'bench', arm: 0, block: 0, attempt: 1, superseded: false };
  const report: Report = {
    ...buildReport(spec, [{ ...trial, state: 'succeeded', outcome }], { startedAt, host: null }),
    pipelineHash: null,
  };
  if (options.json) printJson(report);
  else printTable(report);
  if (!point.valid) process.exitCode = 1;
}

export const bench: Verb = {
  name: 'bench',
  summary: 'measure any OpenAI-compatible endpoint',
  describe(command: Command) {
    const count = (min: number, max: number) => (text: string) => readCountOption(text, min, max);
    const number = (min: number, max: number) => (text: string) => readNumberOption(text, min, max);
    command
      .requiredOption('--url <url>', 'base URL, with or without /v1')
      .requiredOption('--model <name>', 'model name that the server expects')
      .option('--api-key <key>', 'sent as a bearer token')
      .addOption(new Option('--endpoint <kind>').choices(['completions', 'chat']).default('completions'))
      .option('--concurrency <n>', 'closed loop: so many clients (default 1)', count(1, 10_000))
      .option('--rate <r>', 'open loop: requests per second', number(0.001, 100_000))
      .addOption(new Option('--arrivals <kind>', 'of the open loop (default poisson)').choices(['poisson', 'constant']))
      .option('--isl <tokens>', 'prompt length', count(1, 10_000_000), 256)
      .option('--osl <tokens>', 'answer length', count(1, 1_000_000), 64)
      .option('--prefix-tokens <tokens>', 'of the prompt, shared by all requests', count(0, 10_000_000), 0)
      .option('--workload <id>', 'not yet')
      .option('--dataset <file>', 'not yet')
      .option('--trace <file>', 'not yet')
      .option('--seconds <s>', 'length of the measured window (default 30)', number(1, 86_400))
      .option('--requests <n>', 'measure so many requests instead', count(1, 10_000_000))
      .option('--warmup <s>', 'at most so long, until the median is stable', number(0, 3600), 10)
      .option('--timeout <s>', 'of one request', number(1, 3600), 60)
      .option('--ignore-eos', 'fix the answer length: ignore_eos and min_tokens')
      .option('--slo <limits>', 'e.g. ttftMsP99<=500,tpotMsP99<=50')
      .option('--seed <n>', 'of prompts and arrivals', count(0, 2 ** 31), 1)
      .option('--json', 'print the report as JSON')
      .action(measureEndpoint);
  },
};

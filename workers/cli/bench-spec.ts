import { hashOf } from '@/server/core/plan/canonical';
import type { Plan } from '@/server/core/plan/plan';
import { NO_POLICIES } from '@/server/core/plan/policies';
import type { ExperimentSpec } from '@/server/core/run/experiment';
import { parseSlos } from '@/server/core/workload/parse-slo';
import { type Workload, workloadSchema } from '@/server/core/workload/workload';
import { ExitError } from './verb';

/** Options of `bench` as commander reads them. */
export interface BenchOptions {
  url: string;
  model: string;
  apiKey?: string;
  endpoint: 'completions' | 'chat';
  concurrency?: number;
  rate?: number;
  arrivals?: 'poisson' | 'constant';
  isl: number;
  osl: number;
  prefixTokens: number;
  workload?: string;
  dataset?: string;
  trace?: string;
  seconds?: number;
  requests?: number;
  warmup: number;
  timeout: number;
  ignoreEos?: boolean;
  slo?: string;
  seed: number;
  json?: boolean;
}

const DEFAULT_SECONDS = 30;

/** @throws ExitError(2) on options that contradict each other or that this version cannot do */
function refuse(options: BenchOptions): void {
  for (const name of ['workload', 'dataset', 'trace'] as const) {
    if (options[name] === undefined) continue;
    throw new ExitError(
      2,
      `--${name} is not supported yet: bench makes synthetic prompts (--isl, --osl, --prefix-tokens)`,
    );
  }
  if (options.concurrency !== undefined && options.rate !== undefined) {
    throw new ExitError(2, '--concurrency is a closed loop and --rate an open one: give one of them');
  }
  if (options.arrivals !== undefined && options.rate === undefined) throw new ExitError(2, '--arrivals needs --rate');
  if (options.seconds !== undefined && options.requests !== undefined) {
    throw new ExitError(2, 'give --seconds or --requests, not both');
  }
  if (options.prefixTokens >= options.isl) throw new ExitError(2, '--prefix-tokens must be under --isl');
  if (!/^https?:\/\//.test(options.url)) throw new ExitError(2, `--url ${options.url} is no http(s) address`);
}

/** The workload of one bench run. @throws ExitError(2) */
export function benchWorkload(options: BenchOptions): Workload {
  refuse(options);
  const { rate } = options;
  const load =
    rate === undefined
      ? { mode: 'closed' as const, concurrency: options.concurrency ?? 1 }
      : { mode: options.arrivals ?? ('poisson' as const), ratePerS: rate };
  let slos: Workload['slos'] = [];
  try {
    if (options.slo !== undefined) slos = parseSlos(options.slo);
  } catch (error) {
    throw new ExitError(2, `--slo: ${(error as Error).message}`);
  }
  return workloadSchema.parse({
    id: 'bench',
    nodeId: null,
    title: `${options.isl} → ${options.osl} tokens`,
    role: 'target',
    endpoint: options.endpoint,
    inputTokens: options.isl,
    outputTokens: options.osl,
    prefixTokens: options.prefixTokens,
    loads: [load],
    warmupS: options.warmup,
    windowS: options.seconds ?? DEFAULT_SECONDS,
    requestTimeoutS: options.timeout,
    ignoreEos: options.ignoreEos ?? false,
    slos,
  });
}

/** A plan of a server that runs elsewhere: nothing is launched, nothing of it is known but its address. */
function endpointPlan(options: BenchOptions): Plan {
  const hash = hashOf({ url: options.url, model: options.model });
  return {
    deployment: 'endpoint',
    deploymentNodeId: null,
    isBaseline: true,
    label: options.model,
    planHash: hash,
    launchHash: hash,
    components: [
      {
        name: 'engine',
        role: 'engine',
        engine: 'endpoint',
        runtime: null,
        engineVersion: 'unknown',
        image: null,
        hardware: { id: 'unknown', kind: 'cpu', count: 1 },
        replicas: 1,
        argv: [],
        args: [],
        env: {},
        files: [],
        config: [],
        endpoint: { url: options.url, model: options.model, apiKeySecret: null },
      },
    ],
    checkpoints: [],
    policies: NO_POLICIES,
    request: {},
    settings: {},
    pricePerHourUsd: null,
    loss: 'none',
    nodeIds: [],
  };
}

/** One arm, one block: figures without a comparison. */
export function benchSpec(options: BenchOptions, workload: Workload): ExperimentSpec {
  const plan = endpointPlan(options);
  return {
    pipelineHash: plan.planHash,
    seed: options.seed,
    arms: [plan],
    workloads: [workload],
    blocks: 1,
    primaryMetrics: ['outputTokensPerS', 'ttftMsP50', 'tpotMsP50'],
    equivalencePercent: 3,
    qualityBudgetKl: null,
    demo: false,
  };
}

import type { RequestRecord } from '@/server/core/metrics/records';
import type { Plan } from '@/server/core/plan/plan';
import { NO_POLICIES } from '@/server/core/plan/policies';
import type { ExperimentSpec } from '@/server/core/run/experiment';
import type { AgentEventBody, ClaimedBlock } from '@/server/core/run/protocol';
import type { EffectiveRow, TrialOutcome } from '@/server/core/run/trial';
import type { BlockTools } from '@/workers/agent/block-tools';
import { createReferenceCache } from '@/workers/agent/reference-cache';
import type { Driver, RunningEngine } from '@/workers/drivers/driver';
import type { LoadOptions, LoadResult } from '@/workers/load/load-types';

export const anOutcome: TrialOutcome = {
  state: 'succeeded',
  valid: true,
  reasons: [],
  points: [],
  effective: [],
  quality: null,
  engineStartMs: 100,
  peakMemoryBytes: null,
  findings: [],
  cause: null,
  command: ['engine'],
  stamp: 'MEASURED',
};

export const aFailedOutcome: TrialOutcome = {
  ...anOutcome,
  state: 'failed',
  valid: false,
  reasons: ['the engine ended'],
  cause: { code: 'engine-exited', message: 'the engine ended', nodeId: null, field: null, logTail: ['last words'] },
};

export const aPlan = (deployment: string, change: Partial<Plan> = {}): Plan => ({
  deployment,
  deploymentNodeId: deployment,
  isBaseline: deployment === 'baseline',
  label: deployment,
  planHash: `plan-${deployment}`,
  launchHash: `launch-${deployment}`,
  components: [
    {
      name: 'engine',
      role: 'engine',
      engine: 'fake',
      runtime: null,
      engineVersion: '1',
      image: null,
      hardware: { id: 'cpu', kind: 'cpu', count: 1 },
      replicas: 1,
      argv: ['fake'],
      args: [],
      env: {},
      files: [],
      config: [],
      endpoint: null,
    },
  ],
  checkpoints: [],
  policies: NO_POLICIES,
  request: { temperature: 0 },
  settings: {},
  pricePerHourUsd: 1,
  loss: 'none',
  nodeIds: [deployment],
  ...change,
});

export const aSpec = (arms: Plan[]): ExperimentSpec => ({
  pipelineHash: 'p',
  seed: 7,
  arms,
  workloads: [
    {
      id: 'w',
      nodeId: 'w',
      title: 'Chat',
      role: 'target',
      endpoint: 'completions',
      inputTokens: 10,
      outputTokens: 4,
      prefixTokens: 0,
      loads: [{ mode: 'closed', concurrency: 1 }],
      warmupS: 0,
      windowS: 1,
      requestTimeoutS: 5,
      ignoreEos: true,
      slos: [],
    },
  ],
  blocks: 3,
  primaryMetrics: ['outputTokensPerS'],
  equivalencePercent: 3,
  qualityBudgetKl: null,
  demo: false,
});

export const aBlock = (arms: Plan[], change: Partial<ClaimedBlock> = {}): ClaimedBlock => ({
  attemptId: 'attempt-1',
  attempt: 1,
  experimentId: 'x',
  blockIndex: 0,
  spec: aSpec(arms),
  trials: arms.map((_, arm) => ({ trialId: `t${arm}`, arm })),
  leaseMs: 60_000,
  secrets: {},
  ...change,
});

/** A request that took 10 ms to its first token and 2 ms for each of three more. */
export const aRecord = (index: number): RequestRecord => ({
  index,
  phase: 'measure',
  scheduledMs: index * 20,
  sentMs: index * 20,
  firstTokenMs: index * 20 + 10,
  lastTokenMs: index * 20 + 16,
  endMs: index * 20 + 17,
  outcome: 'ok',
  httpStatus: 200,
  error: null,
  inputTokens: 10,
  cachedTokens: 0,
  outputTokens: 4,
  firstChunkTokens: 1,
  requestedOutputTokens: 4,
  chunkTimesMs: [10, 12, 14, 16].map((t) => index * 20 + t),
  chunkTokens: [1, 1, 1, 1],
  queueMs: null,
  text: 'four words of text',
});

export const aLoadResult = (): LoadResult => ({
  records: Array.from({ length: 50 }, (_, i) => aRecord(i)),
  window: { startMs: 0, endMs: 1000 },
  client: {
    cpuShare: 0.1,
    eventLoopLagMsP99: 1,
    eventLoopLagMsMax: 2,
    stealShare: 0,
    loadAverage1: 0.5,
    cores: 2,
    onEngineHost: true,
    sizedInputTokens: 10,
    tokenCheck: null,
    warmupRequests: 3,
    warmupS: 0.1,
    warmupStable: true,
    scheduled: 50,
    sent: 50,
  },
  counters: null,
  usage: { cpuMs: 500, peakMemoryBytes: 1000, joules: null },
  zeroNs: process.hrtime.bigint(),
  zeroEpochMs: performance.timeOrigin + performance.now(),
});

/** A driver whose engines are objects: records what happened to them and lets a test end one. */
export class FakeDriver implements Driver {
  id = 'fake';
  stamp = 'MEASURED' as const;
  readonly happened: string[] = [];
  endEngine: (how: { code: number | null; signal: string | null }) => void = () => {};
  failStart: ((plan: Plan) => Error | null) | null = null;
  effective: EffectiveRow[] = [];
  canReset = true;

  supports(): boolean {
    return true;
  }
  async prepare(plan: Plan): Promise<Record<string, string>> {
    this.happened.push(`prepare ${plan.deployment}`);
    return {};
  }
  async start(plan: Plan, _files: Record<string, string>, log: (line: string) => void): Promise<RunningEngine> {
    const error = this.failStart?.(plan);
    if (error) throw error;
    this.happened.push(`start ${plan.deployment}`);
    log(`starting ${plan.deployment}`);
    return {
      url: 'http://127.0.0.1:1',
      model: plan.deployment,
      apiKey: null,
      pid: null,
      startMs: 5,
      command: ['fake'],
      logTail: () => ['last words'],
      readEffective: async () => this.effective,
      resetCaches: async () => {
        this.happened.push('reset');
        return this.canReset;
      },
      exited: new Promise((resolve) => {
        this.endEngine = resolve;
      }),
      stop: async () => {
        this.happened.push(`stop ${plan.deployment}`);
      },
    };
  }
}

export const fakeTools = (change: Partial<BlockTools> = {}): BlockTools => ({
  engines: [],
  runLoad: async (options: LoadOptions) => {
    options.onPhase?.('warming');
    options.onPhase?.('measuring');
    return aLoadResult();
  },
  calibrate: async () => null,
  detectDegenerate: () => null,
  encodeRecords: async () => 'blob',
  startSampler: () => ({ samples: () => [], stop: async () => [] }),
  quality: null,
  references: createReferenceCache(),
  cores: 2,
  ...change,
});

/** Events as short text, e.g. `t0 phase starting`. */
export const shortEvent = (trialId: string, body: AgentEventBody): string =>
  `${trialId} ${body.kind}${body.kind === 'phase' ? ` ${body.phase}` : ''}`;

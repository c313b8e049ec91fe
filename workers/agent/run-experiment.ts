import { blockOrder } from '@/server/core/run/block-order';
import { rerunReason } from '@/server/core/run/block-verdict';
import type { ExperimentSpec } from '@/server/core/run/experiment';
import type { AgentEventBody, ClaimedBlock } from '@/server/core/run/protocol';
import type { ReportTrial } from '@/server/core/run/report-trial';
import type { TrialOutcome } from '@/server/core/run/trial';
import type { Driver } from '../drivers/driver';
import type { BlockTools } from './block-tools';
import { runBlock } from './run-block';

export interface RunExperimentOptions {
  spec: ExperimentSpec;
  drivers: readonly Driver[];
  tools: BlockTools;
  signal: AbortSignal;
  /** Ends the run at the next block that would not fit; null: no bound. */
  maxMs: number | null;
  onTrialStart?(trial: ReportTrial): void;
  onEvent?(trial: ReportTrial, body: AgentEventBody): void;
  onTrialEnd?(trial: ReportTrial): void;
  onBlockAgain?(block: number, reason: string): void;
}

export interface ExperimentRun {
  trials: ReportTrial[];
  /** Why there are fewer blocks than planned. */
  notes: string[];
}

const LEASE_MS = Number.MAX_SAFE_INTEGER;

function claimed(spec: ExperimentSpec, block: number, attempt: number, trials: readonly ReportTrial[]): ClaimedBlock {
  return {
    attemptId: `block-${block}-${attempt}`,
    attempt,
    experimentId: 'local',
    blockIndex: block,
    spec,
    trials: trials.map(({ trialId, arm }) => ({ trialId, arm })),
    leaseMs: LEASE_MS,
    secrets: {},
  };
}

/** Runs all blocks of an experiment in this process, with the rules of the server: an invalid block is run again once. */
export async function runExperiment(options: RunExperimentOptions): Promise<ExperimentRun> {
  const { spec, signal } = options;
  const run: ExperimentRun = { trials: [], notes: [] };
  const began = performance.now();
  for (let block = 0; block < spec.blocks && !signal.aborted; block++) {
    const spentMs = performance.now() - began;
    const nextMs = block === 0 ? 0 : spentMs / block;
    if (options.maxMs !== null && spentMs + nextMs > options.maxMs) {
      run.notes.push(`stopped after ${block} of ${spec.blocks} blocks: another one would pass --max-minutes`);
      break;
    }
    await runWithRetry(options, run, block);
  }
  if (signal.aborted) run.notes.push('the run was cancelled');
  return run;
}

async function runWithRetry(options: RunExperimentOptions, run: ExperimentRun, block: number): Promise<void> {
  const { spec } = options;
  for (let attempt = 1; ; attempt++) {
    const trials: ReportTrial[] = blockOrder(spec.seed, block, spec.arms.length).map((arm) => ({
      trialId: `b${block}-${attempt}-${arm}`,
      arm,
      block,
      attempt,
      state: 'queued',
      superseded: false,
      outcome: null,
    }));
    run.trials.push(...trials);
    const reason = await runAttempt(options, claimed(spec, block, attempt, trials), trials);
    if (reason === null || options.signal.aborted) return;
    for (const trial of trials) trial.superseded = true;
    run.notes.push(`block ${block + 1} was run again: ${reason}`);
    options.onBlockAgain?.(block, reason);
  }
}

/** One pass; broken off as soon as a trial decides that the block is to be run again. Returns why, or null. */
async function runAttempt(
  options: RunExperimentOptions,
  block: ClaimedBlock,
  trials: readonly ReportTrial[],
): Promise<string | null> {
  const byId = new Map(trials.map((trial) => [trial.trialId, trial]));
  const brokenOff = new AbortController();
  let reason: string | null = null;
  const trialOf = (trialId: string): ReportTrial => {
    const trial = byId.get(trialId);
    if (trial === undefined) throw new Error(`no trial ${trialId} in this block`);
    return trial;
  };
  await runBlock({
    block,
    drivers: options.drivers,
    tools: options.tools,
    signal: AbortSignal.any([options.signal, brokenOff.signal]),
    emit: (trialId, body) => {
      const trial = trialOf(trialId);
      if (body.kind === 'phase') {
        if (trial.state === 'queued') options.onTrialStart?.(trial);
        trial.state = body.phase;
      }
      options.onEvent?.(trial, body);
    },
    onOutcome: (trialId, outcome: TrialOutcome) => {
      const trial = trialOf(trialId);
      trial.state = outcome.state;
      trial.outcome = outcome;
      if (brokenOff.signal.aborted) return;
      options.onTrialEnd?.(trial);
      reason = rerunReason([outcome], block.attempt);
      if (reason !== null) brokenOff.abort(new Error(reason));
    },
  });
  return reason;
}

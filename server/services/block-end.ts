import { blockOrder } from '../core/run/block-order';
import { MAX_BLOCK_RUNS, rerunReason } from '../core/run/block-verdict';
import type { ExperimentState } from '../core/run/stream';
import { isTerminal, type TrialOutcome, trialOutcomeSchema } from '../core/run/trial';
import { toJson } from '../db/json';
import { lockExperiment } from '../db/sql/lock-experiment';
import type { TeamTx } from '../db/team-db';
import { appendEvents, type NewEvent } from './events';
import { notifyTeam } from './nudges';
import { queueTrials } from './queue-trials';
import { summarize } from './report';
import { trialEvent, WITH_WORKER } from './trial-event';
import { keepHistory } from './trial-history';

export type Cause = NonNullable<TrialOutcome['cause']>;

export interface AttemptRef {
  id: string;
  number: number;
  blockId: string;
  experimentId: string;
}

async function blockOf(tx: TeamTx, blockId: string) {
  return tx.block.findFirstOrThrow({
    where: { id: blockId },
    include: { experiment: { select: { seed: true, cancelRequestedAt: true, _count: { select: { arms: true } } } } },
  });
}

/**
 * Decides after a trial ended: the attempt goes on, its block is run again whole, or it has ended. Appends `events`
 * (what the caller has to tell) together with its own, last in the transaction.
 */
export async function settleAttempt(
  tx: TeamTx,
  teamId: string,
  attempt: AttemptRef,
  events: NewEvent[],
): Promise<void> {
  const trials = await tx.trial.findMany({ where: { attemptId: attempt.id }, orderBy: { position: 'asc' } });
  const block = await blockOf(tx, attempt.blockId);
  const outcomes = trials.flatMap((trial) => (trial.outcome === null ? [] : [trialOutcomeSchema.parse(trial.outcome)]));
  const run = block.runsLeft > 0 ? 1 : MAX_BLOCK_RUNS;
  const reason = block.experiment.cancelRequestedAt ? null : rerunReason(outcomes, run);
  if (reason !== null) {
    const cause = outcomes.find((outcome) => outcome.cause)?.cause ?? reasonCause(reason);
    await breakOff(tx, teamId, attempt, { state: 'failed', trialState: 'cancelled', cause, events });
    return;
  }
  if (trials.every((trial) => isTerminal(trial.state))) {
    const cancelled = outcomes.some((outcome) => outcome.state === 'cancelled');
    const failed = outcomes.find((outcome) => outcome.state === 'failed');
    const state = cancelled ? 'cancelled' : failed ? 'failed' : 'succeeded';
    const cause = failed ? (failed.cause ?? reasonCause('failed: cause unknown')) : null;
    await endAttempt(tx, attempt, state, cause);
    await endBlock(tx, attempt.blockId, state, cause);
    events.push(...(await endExperiment(tx, teamId, attempt.experimentId)));
  }
  await appendEvents(tx, teamId, attempt.experimentId, events);
}

const reasonCause = (message: string): Cause => ({
  code: 'block-again',
  message,
  nodeId: null,
  field: null,
  logTail: [],
});

/**
 * Ends an attempt before its time: open trials end as `trialState`, finished ones are superseded, and the block is
 * queued again while it has runs left; else it fails with the cause.
 */
export async function breakOff(
  tx: TeamTx,
  teamId: string,
  attempt: AttemptRef,
  how: { state: 'failed' | 'lost'; trialState: 'cancelled' | 'lost'; cause: Cause; events: NewEvent[] },
): Promise<void> {
  const block = await blockOf(tx, attempt.blockId);
  const trials = await tx.trial.findMany({
    where: { attemptId: attempt.id },
    orderBy: { position: 'asc' },
    include: WITH_WORKER,
  });
  const { events } = how;
  for (const trial of trials) {
    const state = isTerminal(trial.state) ? trial.state : how.trialState;
    const ended = isTerminal(trial.state) ? {} : { state, finishedAt: new Date() };
    await tx.trial.update({ where: { id: trial.id }, data: { ...ended, superseded: true } });
    await keepHistory(tx, teamId, trial.id);
    events.push(trialEvent({ ...trial, state, superseded: true }, block.index));
  }
  await endAttempt(tx, attempt, how.state, how.cause);
  if (block.experiment.cancelRequestedAt) {
    await endBlock(tx, block.id, 'cancelled', null);
    events.push(...(await endExperiment(tx, teamId, attempt.experimentId)));
  } else if (block.runsLeft > 0) {
    await tx.block.update({ where: { id: block.id }, data: { state: 'queued', cause: toJson(how.cause) } });
    const order = blockOrder(Number(block.experiment.seed), block.index, block.experiment._count.arms);
    const next = { experimentId: attempt.experimentId, block, attemptNumber: block.attempt + 1, order };
    events.push(...(await queueTrials(tx, teamId, next)));
  } else {
    await endBlock(tx, block.id, 'failed', how.cause);
    events.push(...(await endExperiment(tx, teamId, attempt.experimentId)));
  }
  await appendEvents(tx, teamId, attempt.experimentId, events);
}

async function endAttempt(
  tx: TeamTx,
  attempt: AttemptRef,
  state: 'succeeded' | 'failed' | 'lost' | 'cancelled',
  cause: Cause | null,
): Promise<void> {
  await tx.attempt.updateMany({
    where: { id: attempt.id, state: 'running' },
    data: { state, endedAt: new Date(), ...(cause ? { cause: toJson(cause) } : {}) },
  });
}

async function endBlock(
  tx: TeamTx,
  blockId: string,
  state: 'succeeded' | 'failed' | 'cancelled',
  cause: Cause | null,
): Promise<void> {
  await tx.block.update({
    where: { id: blockId },
    data: { state, finishedAt: new Date(), ...(cause ? { cause: toJson(cause) } : {}) },
  });
}

/** Ends the experiment when its last block has ended; keeps the report's sentence for lists. */
export async function endExperiment(tx: TeamTx, teamId: string, experimentId: string): Promise<NewEvent[]> {
  await lockExperiment(tx, teamId, experimentId);
  const open = await tx.block.count({ where: { experimentId, state: { in: ['queued', 'running'] } } });
  if (open > 0) return [];
  const experiment = await tx.experiment.findFirstOrThrow({ where: { id: experimentId } });
  if (experiment.state !== 'queued' && experiment.state !== 'running') return [];
  const counted = await tx.trial.count({ where: { experimentId, state: 'succeeded', superseded: false } });
  const state: ExperimentState = experiment.cancelRequestedAt ? 'cancelled' : counted > 0 ? 'succeeded' : 'failed';
  const { sentence, stamp } = await summarize(tx, experimentId);
  await tx.experiment.update({ where: { id: experimentId }, data: { state, finishedAt: new Date(), sentence, stamp } });
  await notifyTeam(tx, teamId, 'experiments', experimentId);
  return [{ trialId: null, body: { kind: 'experiment', state, detail: sentence } }];
}

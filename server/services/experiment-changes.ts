import { blockOrder } from '../core/run/block-order';
import { lockBlocks } from '../db/sql/lock-blocks';
import { lockExperiment } from '../db/sql/lock-experiment';
import { AppError } from '../errors';
import { endExperiment } from './block-end';
import { appendEvents, type NewEvent } from './events';
import { notifyTeam } from './nudges';
import { queueTrials } from './queue-trials';
import { type Scope, writeAudit } from './scope';
import { trialEvent, WITH_WORKER } from './trial-event';

/**
 * Stops an experiment: queued blocks end at once, running ones when their workers hear of it at the next heartbeat.
 * Cancelling one that has ended changes nothing.
 */
export async function cancelExperiment(scope: Scope, id: string): Promise<void> {
  const { teamId } = scope;
  // Committed by itself: from here on no block is claimed, and blocks can be locked before the experiment.
  const { count } = await scope.db.experiment.updateMany({
    where: { id, state: { in: ['queued', 'running'] }, cancelRequestedAt: null },
    data: { cancelRequestedAt: new Date() },
  });
  if (count === 0) {
    if (await scope.db.experiment.findFirst({ where: { id }, select: { id: true } })) return;
    throw new AppError('not-found', 'No such experiment.');
  }
  await scope.db.$transaction(async (tx) => {
    await lockBlocks(tx, teamId, id);
    const trials = await tx.trial.findMany({
      where: { experimentId: id, state: 'queued' },
      include: { block: { select: { index: true } } },
    });
    const finishedAt = new Date();
    await tx.trial.updateMany({
      where: { experimentId: id, state: 'queued' },
      data: { state: 'cancelled', finishedAt },
    });
    await tx.block.updateMany({
      where: { experimentId: id, state: 'queued' },
      data: { state: 'cancelled', finishedAt },
    });
    const events = trials.map((trial) => trialEvent({ ...trial, state: 'cancelled' }, trial.block.index));
    events.push(...(await endExperiment(tx, teamId, id)));
    await writeAudit(tx, scope, { action: 'experiment.cancel', subjectKind: 'experiment', subjectId: id });
    await notifyTeam(tx, teamId, 'experiments', id);
    await appendEvents(tx, teamId, id, events);
  });
}

/** Queues a failed block once more, in an experiment that was not cancelled. */
export async function retryBlock(scope: Scope, input: { id: string; block: number }): Promise<void> {
  const { teamId } = scope;
  await scope.db.$transaction(async (tx) => {
    await lockBlocks(tx, teamId, input.id);
    await lockExperiment(tx, teamId, input.id);
    const block = await tx.block.findFirst({
      where: { experimentId: input.id, index: input.block },
      include: { experiment: { select: { seed: true, state: true, _count: { select: { arms: true } } } } },
    });
    if (!block) throw new AppError('not-found', 'No such block.');
    if (block.state !== 'failed') throw new AppError('conflict', `Block ${input.block + 1} has not failed.`);
    if (block.experiment.state === 'cancelled') throw new AppError('conflict', 'The experiment was cancelled.');
    const where = { blockId: block.id, superseded: false };
    const replaced = await tx.trial.findMany({ where, include: WITH_WORKER });
    await tx.trial.updateMany({ where, data: { superseded: true } });
    await tx.block.update({ where: { id: block.id }, data: { state: 'queued', runsLeft: 1, finishedAt: null } });
    await tx.experiment.update({
      where: { id: input.id },
      data: { state: block.experiment.state === 'queued' ? 'queued' : 'running', finishedAt: null, sentence: null },
    });
    const order = blockOrder(Number(block.experiment.seed), block.index, block.experiment._count.arms);
    const next = { experimentId: input.id, block, attemptNumber: block.attempt + 1, order };
    const events: NewEvent[] = [
      {
        trialId: null,
        body: { kind: 'experiment', state: 'running', detail: `Block ${block.index + 1} is run again.` },
      },
      ...replaced.map((trial) => trialEvent({ ...trial, superseded: true }, block.index)),
      ...(await queueTrials(tx, teamId, next)),
    ];
    await writeAudit(tx, scope, {
      action: 'experiment.retry-block',
      subjectKind: 'experiment',
      subjectId: input.id,
      detail: { block: input.block },
    });
    await notifyTeam(tx, teamId, 'experiments', input.id);
    await appendEvents(tx, teamId, input.id, events);
  });
}

import { randomUUID } from 'node:crypto';
import { experimentSpecSchema } from '../core/run/experiment';
import type { ClaimedBlock } from '../core/run/protocol';
import type { Worker } from '../db/generated/client';
import { bindExperiment } from '../db/sql/bind-experiment';
import { extendLease } from '../db/sql/extend-lease';
import { insertAttempt } from '../db/sql/insert-attempt';
import { lockWorker } from '../db/sql/lock-worker';
import { selectClaimableBlock } from '../db/sql/select-claimable-block';
import type { TeamTx } from '../db/team-db';
import { appendEvents } from './events';
import { notifyTeam } from './nudges';
import { openSecrets, secretNames } from './secrets';
import { trialEvent } from './trial-event';
import { findWorker, leaseMs, noteSeen, type WorkerScope } from './worker-sessions';

/** Thrown to roll a claim back when another worker bound the experiment first; the agent asks again. */
class ClaimRaced extends Error {}

/**
 * Gives the worker a block that it can run, or null. A worker holds one block at a time; asking again before the
 * first event of it gives the same block, so that a lost answer costs no run.
 */
export async function claimBlock(scope: WorkerScope, workerId: string): Promise<ClaimedBlock | null> {
  const worker = await findWorker(scope, workerId);
  await noteSeen(scope, workerId);
  try {
    return await scope.db.$transaction(async (tx) => {
      const held = await heldBlock(tx, scope, worker);
      return held === undefined ? openAttempt(tx, scope, worker) : held;
    });
  } catch (error) {
    if (error instanceof ClaimRaced) return null;
    throw error;
  }
}

/** The block that this worker holds: given again while untouched, `undefined` where it holds none. */
async function heldBlock(tx: TeamTx, scope: WorkerScope, worker: Worker): Promise<ClaimedBlock | null | undefined> {
  await lockWorker(tx, scope.teamId, worker.id);
  const held = await tx.attempt.findFirst({ where: { workerId: worker.id, state: 'running' } });
  if (!held) return undefined;
  const lease = { id: held.id, workerId: worker.id, leaseMs: leaseMs() };
  if (held.lastAgentSeq > 0 || !(await extendLease(tx, scope.teamId, lease))) return null;
  return describeClaim(tx, scope, held.id);
}

async function openAttempt(tx: TeamTx, scope: WorkerScope, worker: Worker): Promise<ClaimedBlock | null> {
  const { teamId } = scope;
  const block = await selectClaimableBlock(tx, teamId, worker);
  if (!block) return null;
  const bound = await bindExperiment(tx, teamId, block.experimentId, worker.fingerprint);
  if (!bound) throw new ClaimRaced();
  const number = block.attempt + 1;
  const attemptId = randomUUID();
  await tx.block.update({
    where: { id: block.id },
    data: { state: 'running', attempt: number, runsLeft: { decrement: 1 } },
  });
  await insertAttempt(tx, teamId, {
    id: attemptId,
    blockId: block.id,
    number,
    workerId: worker.id,
    leaseMs: leaseMs(),
  });
  const trials = await tx.trial.updateManyAndReturn({
    where: { blockId: block.id, attemptNumber: number, state: 'queued' },
    data: { state: 'claimed', attemptId },
  });
  const events = trials.map((trial) => trialEvent({ ...trial, attempt: { worker } }, block.index));
  if (bound.first) {
    events.unshift({ trialId: null, body: { kind: 'experiment', state: 'running', detail: null } });
  }
  const claimed = await describeClaim(tx, scope, attemptId);
  await notifyTeam(tx, teamId, 'experiments', block.experimentId);
  await notifyTeam(tx, teamId, 'workers', worker.id);
  await appendEvents(tx, teamId, block.experimentId, events);
  return claimed;
}

async function describeClaim(tx: TeamTx, scope: WorkerScope, attemptId: string): Promise<ClaimedBlock> {
  const attempt = await tx.attempt.findFirstOrThrow({
    where: { id: attemptId },
    include: {
      block: { include: { experiment: { select: { id: true, spec: true } } } },
      trials: { orderBy: { position: 'asc' } },
    },
  });
  const spec = experimentSpecSchema.parse(attempt.block.experiment.spec);
  return {
    attemptId,
    attempt: attempt.number,
    experimentId: attempt.block.experiment.id,
    blockIndex: attempt.block.index,
    spec,
    trials: attempt.trials.map((trial) => ({ trialId: trial.id, arm: trial.armIndex })),
    leaseMs: leaseMs(),
    secrets: await openSecrets(tx, scope.teamId, secretNames(spec.arms)),
  };
}

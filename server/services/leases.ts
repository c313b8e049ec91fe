import type { z } from 'zod';
import type { heartbeatOutput } from '../core/run/protocol';
import { systemDb } from '../db/client';
import { extendLease } from '../db/sql/extend-lease';
import { lockLapsedAttempt } from '../db/sql/lock-lapsed-attempt';
import { selectLapsedAttempts } from '../db/sql/select-lapsed-attempts';
import { breakOff } from './block-end';
import { notifyTeam } from './nudges';
import { teamScope, writeAudit } from './scope';
import { findWorker, leaseMs, noteSeen, type WorkerScope } from './worker-sessions';

const SWEEP_LIMIT = 100;

/** Extends the lease; says "cancel" when a person asked to stop, "lost" when the attempt is no longer this worker's. */
export async function heartbeat(
  scope: WorkerScope,
  input: { workerId: string; attemptId: string },
): Promise<z.infer<typeof heartbeatOutput>> {
  await findWorker(scope, input.workerId);
  await noteSeen(scope, input.workerId);
  const lease = leaseMs();
  const kept = await extendLease(scope.db, scope.teamId, {
    id: input.attemptId,
    workerId: input.workerId,
    leaseMs: lease,
  });
  if (!kept) return { answer: 'lost', leaseMs: lease };
  const attempt = await scope.db.attempt.findFirstOrThrow({
    where: { id: input.attemptId },
    select: { block: { select: { experiment: { select: { cancelRequestedAt: true } } } } },
  });
  return { answer: attempt.block.experiment.cancelRequestedAt ? 'cancel' : 'go-on', leaseMs: lease };
}

/** Ends every attempt whose lease is over by the database's clock. Returns how many it ended. */
export async function sweepLeases(): Promise<number> {
  const lapsed = await selectLapsedAttempts(systemDb(), SWEEP_LIMIT);
  let ended = 0;
  for (const attempt of lapsed) if (await endLapsed(attempt.teamId, attempt.id)) ended += 1;
  return ended;
}

async function endLapsed(teamId: string, attemptId: string): Promise<boolean> {
  const scope = teamScope(teamId, { kind: 'system', id: null, name: 'lease sweep' });
  return scope.db.$transaction(async (tx) => {
    if (!(await lockLapsedAttempt(tx, teamId, attemptId))) return false;
    const attempt = await tx.attempt.findFirstOrThrow({
      where: { id: attemptId },
      include: { worker: { select: { id: true, name: true } }, block: { select: { experimentId: true, index: true } } },
    });
    const message = `Worker ${attempt.worker.name} stopped answering; its lease ran out.`;
    await writeAudit(tx, scope, {
      action: 'attempt.lost',
      subjectKind: 'experiment',
      subjectId: attempt.block.experimentId,
      detail: { block: attempt.block.index, attempt: attempt.number, worker: attempt.worker.name },
    });
    await notifyTeam(tx, teamId, 'workers', attempt.worker.id);
    const ref = {
      id: attemptId,
      number: attempt.number,
      blockId: attempt.blockId,
      experimentId: attempt.block.experimentId,
    };
    const cause = { code: 'lease-lost', message, nodeId: null, field: null, logTail: [] };
    await breakOff(tx, teamId, ref, { state: 'lost', trialState: 'lost', cause, events: [] });
    return true;
  });
}

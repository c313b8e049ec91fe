import { outcomeDigest } from '../core/run/outcome-digest';
import type { TrialOutcome } from '../core/run/trial';
import { toJson, toJsonArray } from '../db/json';
import { AppError } from '../errors';
import { holdAttempt, lostError } from './appends';
import { settleAttempt } from './block-end';
import type { NewEvent } from './events';
import { keepHistory, writePoints } from './trial-history';
import { findWorker, type WorkerScope } from './worker-sessions';

export interface FinishInput {
  workerId: string;
  attemptId: string;
  trialId: string;
  lastAgentSeq: number;
  digest: string;
  outcome: TrialOutcome;
}
export interface FinishResult {
  accepted: boolean;
  missingFrom: number | null;
}

const ACCEPTED: FinishResult = { accepted: true, missingFrom: null };

/**
 * Writes state and result of a trial in one transaction. Refused while an event before it is missing; repeatable with
 * the same digest, also after the attempt has ended.
 */
export async function finishTrial(scope: WorkerScope, input: FinishInput): Promise<FinishResult> {
  await findWorker(scope, input.workerId);
  if (outcomeDigest(input.outcome) !== input.digest) {
    throw new AppError('bad-request', 'The digest is not that of the outcome: it changed on its way.');
  }
  return scope.db.$transaction(async (tx) => {
    const attempt = await holdAttempt(tx, scope, input);
    const trial = await tx.trial.findFirst({ where: { id: input.trialId, attemptId: attempt.id } });
    if (!trial) throw new AppError('not-found', 'This attempt has no such trial.');
    if (trial.digest === input.digest) return ACCEPTED;
    if (trial.digest !== null) throw new AppError('conflict', 'This trial has ended with another outcome.');
    if (!attempt.holds) throw lostError();
    if (attempt.lastAgentSeq < input.lastAgentSeq) return { accepted: false, missingFrom: attempt.lastAgentSeq + 1 };
    const { outcome } = input;
    await tx.trial.update({
      where: { id: trial.id },
      data: {
        state: outcome.state,
        outcome: toJson(outcome),
        digest: input.digest,
        valid: outcome.valid,
        effective: toJsonArray(outcome.effective),
        finishedAt: new Date(),
      },
    });
    await writePoints(tx, scope.teamId, trial.id, outcome.points);
    await keepHistory(tx, scope.teamId, trial.id);
    const ref = {
      id: attempt.id,
      number: attempt.number,
      blockId: attempt.blockId,
      experimentId: attempt.experimentId,
    };
    await settleAttempt(tx, scope.teamId, ref, [outcomeEvent(trial.id, outcome)]);
    return ACCEPTED;
  });
}

function outcomeEvent(trialId: string, outcome: TrialOutcome): NewEvent {
  const { state, valid, reasons, effective, quality, findings, cause } = outcome;
  return { trialId, body: { kind: 'outcome', state, valid, reasons, effective, quality, findings, cause } };
}

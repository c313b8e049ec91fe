import type { AgentEvent } from '../core/run/protocol';
import { isTerminal, type TrialState } from '../core/run/trial';
import { toJsonArray } from '../db/json';
import { type LockedAttempt, lockAttempt } from '../db/sql/lock-attempt';
import type { TeamTx } from '../db/team-db';
import { AppError } from '../errors';
import { appendEvents, type NewEvent } from './events';
import { findWorker, type WorkerScope } from './worker-sessions';

export const lostError = (): AppError =>
  new AppError('conflict', 'This attempt is no longer yours: its lease ran out or its block was taken back.', {
    problem: 'lost',
  });

/** The attempt, locked, or a refusal that says whether it was lost or never was. */
export async function holdAttempt(
  tx: TeamTx,
  scope: WorkerScope,
  input: { workerId: string; attemptId: string },
): Promise<LockedAttempt> {
  const attempt = await lockAttempt(tx, scope.teamId, input.attemptId, input.workerId);
  if (!attempt) throw new AppError('not-found', 'This worker has no such attempt.', { problem: 'lost' });
  return attempt;
}

/** Events that follow without a gap on what the store holds; repeated ones and those behind a gap are left out. */
export function nextInOrder(events: readonly AgentEvent[], lastAgentSeq: number): AgentEvent[] {
  const fresh: AgentEvent[] = [];
  let expected = lastAgentSeq + 1;
  for (const event of [...events].sort((a, b) => a.agentSeq - b.agentSeq)) {
    if (event.agentSeq !== expected) continue;
    fresh.push(event);
    expected += 1;
  }
  return fresh;
}

/** Stores a batch in one transaction. Answers the highest gap-free number that the store holds now. */
export async function appendBatch(
  scope: WorkerScope,
  input: { workerId: string; attemptId: string; events: AgentEvent[] },
): Promise<{ lastAgentSeq: number }> {
  await findWorker(scope, input.workerId);
  return scope.db.$transaction(async (tx) => {
    const attempt = await holdAttempt(tx, scope, input);
    if (!attempt.holds) throw lostError();
    const fresh = nextInOrder(input.events, attempt.lastAgentSeq);
    const last = fresh.at(-1);
    if (!last) return { lastAgentSeq: attempt.lastAgentSeq };
    await tx.attempt.update({ where: { id: attempt.id }, data: { lastAgentSeq: last.agentSeq } });
    await applyToTrials(tx, scope.teamId, attempt.id, fresh);
    const events = fresh.flatMap((event) => toStream(attempt.id, event));
    await appendEvents(tx, scope.teamId, attempt.experimentId, events);
    return { lastAgentSeq: last.agentSeq };
  });
}

/** Request records go to their point, never into the stream. */
function toStream(attemptId: string, event: AgentEvent): NewEvent[] {
  if (event.body.kind === 'records') return [];
  return [{ trialId: event.trialId, body: event.body, agent: { attemptId, agentSeq: event.agentSeq } }];
}

async function applyToTrials(
  tx: TeamTx,
  teamId: string,
  attemptId: string,
  events: readonly AgentEvent[],
): Promise<void> {
  const ids = [...new Set(events.map((event) => event.trialId))];
  const trials = await tx.trial.findMany({
    where: { id: { in: ids }, attemptId },
    select: { id: true, state: true, startedAt: true },
  });
  if (trials.length !== ids.length) throw new AppError('bad-request', 'An event names a trial of another attempt.');
  for (const trial of trials) {
    if (isTerminal(trial.state)) continue;
    await applyToTrial(
      tx,
      teamId,
      trial,
      events.filter((event) => event.trialId === trial.id),
    );
  }
}

async function applyToTrial(
  tx: TeamTx,
  teamId: string,
  trial: { id: string; startedAt: Date | null },
  events: readonly AgentEvent[],
): Promise<void> {
  let phase: TrialState | null = null;
  let effective: unknown[] | null = null;
  for (const { body } of events) {
    // A trial ends by its finish alone.
    if (body.kind === 'phase' && !isTerminal(body.phase)) phase = body.phase;
    if (body.kind === 'effective') effective = body.rows;
    if (body.kind === 'records') await writeRecords(tx, teamId, trial.id, body);
  }
  const started = phase !== null && trial.startedAt === null ? { startedAt: new Date() } : {};
  if (phase === null && effective === null) return;
  await tx.trial.update({
    where: { id: trial.id },
    data: {
      ...started,
      ...(phase ? { state: phase } : {}),
      ...(effective ? { effective: toJsonArray(effective) } : {}),
    },
  });
}

async function writeRecords(
  tx: TeamTx,
  teamId: string,
  trialId: string,
  body: { workload: string; loadIndex: number; blob: string },
): Promise<void> {
  const key = { trialId, workload: body.workload, loadIndex: body.loadIndex };
  const records = new Uint8Array(Buffer.from(body.blob, 'base64'));
  await tx.point.upsert({
    where: { trialId_workload_loadIndex: key },
    create: { teamId, ...key, records },
    update: { records },
  });
}

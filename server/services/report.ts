import { buildReport } from '../core/run/build-report';
import { experimentSpecSchema } from '../core/run/experiment';
import type { Report } from '../core/run/report';
import { hostSchema, trialOutcomeSchema } from '../core/run/trial';
import type { TeamTx } from '../db/team-db';

/** The report from the outcomes so far; null before the first trial of the experiment ended. */
export async function reportOf(tx: TeamTx, experimentId: string): Promise<Report | null> {
  const experiment = await tx.experiment.findFirstOrThrow({ where: { id: experimentId } });
  const trials = await tx.trial.findMany({
    where: { experimentId },
    orderBy: [{ block: { index: 'asc' } }, { attemptNumber: 'asc' }, { position: 'asc' }],
    include: { block: { select: { index: true } }, attempt: { select: { worker: { select: { host: true } } } } },
  });
  if (!trials.some((trial) => trial.outcome !== null)) return null;
  const host = trials.find((trial) => trial.outcome !== null)?.attempt?.worker.host;
  return buildReport(
    experimentSpecSchema.parse(experiment.spec),
    trials.map((trial) => ({
      trialId: trial.id,
      arm: trial.armIndex,
      block: trial.block.index,
      attempt: trial.attemptNumber,
      state: trial.state,
      superseded: trial.superseded,
      outcome: trial.outcome === null ? null : trialOutcomeSchema.parse(trial.outcome),
    })),
    {
      startedAt: (experiment.startedAt ?? experiment.createdAt).toISOString(),
      host: host ? hostSchema.parse(host) : null,
    },
  );
}

/** The report's sentence and stamp, for lists. */
export async function summarize(
  tx: TeamTx,
  experimentId: string,
): Promise<{ sentence: string | null; stamp: Report['stamp'] | null }> {
  const report = await reportOf(tx, experimentId);
  return { sentence: report?.sentence ?? null, stamp: report?.stamp ?? null };
}

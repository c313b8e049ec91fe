import type { Plan } from '../core/plan/plan';
import { experimentSpecSchema } from '../core/run/experiment';
import { type Host, hostSchema, type TrialOutcome, trialOutcomeSchema } from '../core/run/trial';
import type { Scope } from './scope';

/** The newest valid measured trial of a plan: what a manifest may quote, if engine, version, image, checkpoint and device match. */
export interface Evidence {
  experimentId: string;
  experimentNumber: number;
  trialId: string;
  measuredAt: Date;
  /** Of prompts, arrivals and order. */
  seed: number;
  plan: Plan;
  host: Host;
  outcome: TrialOutcome;
}

const CANDIDATES = 20;

/** Null where the plan was never measured validly. Simulated and external results are no evidence. */
export async function findEvidence(scope: Scope, planHash: string): Promise<Evidence | null> {
  const arms = await scope.db.arm.findMany({
    where: { planHash },
    orderBy: { experiment: { number: 'desc' } },
    take: CANDIDATES,
    select: { experimentId: true, index: true },
  });
  for (const arm of arms) {
    const trial = await scope.db.trial.findFirst({
      where: {
        experimentId: arm.experimentId,
        armIndex: arm.index,
        state: 'succeeded',
        valid: true,
        superseded: false,
      },
      orderBy: { finishedAt: 'desc' },
      include: {
        experiment: { select: { number: true, spec: true } },
        attempt: { select: { worker: { select: { host: true } } } },
      },
    });
    if (!trial?.attempt || !trial.finishedAt) continue;
    const outcome = trialOutcomeSchema.parse(trial.outcome);
    const spec = experimentSpecSchema.parse(trial.experiment.spec);
    const plan = spec.arms[arm.index];
    if (outcome.stamp !== 'MEASURED' || !plan) continue;
    return {
      experimentId: arm.experimentId,
      experimentNumber: trial.experiment.number,
      trialId: trial.id,
      measuredAt: trial.finishedAt,
      seed: spec.seed,
      plan,
      host: hostSchema.parse(trial.attempt.worker.host),
      outcome,
    };
  }
  return null;
}

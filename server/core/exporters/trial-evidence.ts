import type { Plan } from '../plan/plan';
import type { Host, TrialOutcome } from '../run/trial';
import { checkpointsOf, deviceOf, type Evidence } from './evidence';

/** Metrics that a manifest's head quotes, in this order. */
const HEADLINES = ['outputTokensPerS', 'ttftMsP50', 'tpotMsP50'] as const;

/** A trial as the store gives it. */
export interface MeasuredTrial {
  plan: Plan;
  outcome: Pick<TrialOutcome, 'stamp' | 'points' | 'quality'>;
  measuredAt: Date;
  /** Machine that ran it, where the store knows. */
  host?: Host;
  trialId?: string;
  /** Of prompts, arrivals and order. */
  seed?: number;
}

/**
 * What a trial may say in a manifest's head. Agents of this version launch processes on their host, so no image ran;
 * null where the plan has more than one component, since then no single file launches what was measured.
 */
export function evidenceOfTrial({ plan, outcome, measuredAt }: MeasuredTrial): Evidence | null {
  const [component, ...others] = plan.components;
  if (!component || others.length > 0) return null;
  const headlines = outcome.points
    .filter((point) => point.valid)
    .flatMap(({ workload, metrics }) =>
      HEADLINES.flatMap((metric) => {
        const value = metrics[metric];
        return value ? [{ metric, workload, value }] : [];
      }),
    );
  return {
    stamp: outcome.stamp,
    planHash: plan.planHash,
    startedAt: measuredAt.toISOString(),
    engine: component.engine,
    runtime: component.runtime,
    engineVersion: component.engineVersion,
    image: null,
    device: deviceOf(component.hardware),
    checkpoints: checkpointsOf(plan.checkpoints),
    headlines,
    klDivergence: outcome.quality?.klDivergence ?? null,
  };
}

import type { Plan } from '../plan/plan';
import type { DeploymentReport, Report, WorkloadReport } from '../run/report';
import type { Point } from '../run/trial';
import type { MeasuredTrial } from './trial-evidence';

/** Trials that count for a result. */
const counted = (result: WorkloadReport) => result.trials.filter((trial) => trial.valid && !trial.superseded);

function addOutcomes(result: WorkloadReport): Record<string, number> {
  const sum: Record<string, number> = {};
  for (const { outcomes } of counted(result)) {
    for (const [outcome, n] of Object.entries(outcomes)) sum[outcome] = (sum[outcome] ?? 0) + n;
  }
  return sum;
}

const pointOf = (result: WorkloadReport): Point => ({
  workload: result.workload,
  role: result.role,
  load: result.load,
  windowS: result.windowS,
  metrics: result.metrics,
  valid: result.trust.grade !== 'invalid' && counted(result).length > 0,
  reasons: result.trust.reasons,
  saturated: false,
  requests: counted(result).reduce((sum, trial) => sum + trial.requests, 0),
  outcomes: addOutcomes(result),
});

/**
 * What a report of `inferloom run` shows of one plan, in the form of a trial: the metrics are those over all blocks.
 * Null where the report does not hold that plan (the hashes differ) or nothing valid of it.
 */
export function trialOfReport(report: Report, plan: Plan): MeasuredTrial | null {
  const ran: DeploymentReport | undefined = report.deployments.find((d) => d.planHash === plan.planHash);
  const points = ran?.results.map(pointOf) ?? [];
  if (ran === undefined || !points.some(({ valid }) => valid)) return null;
  return {
    plan,
    outcome: { stamp: report.stamp, points, quality: ran.quality },
    measuredAt: new Date(report.startedAt),
    seed: report.seed,
    ...(report.host === null ? {} : { host: report.host }),
  };
}

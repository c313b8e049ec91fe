import type { ExperimentSpec } from '@/server/core/run/experiment';
import { judgeQuality, QUALITY_WORDS } from '@/server/core/run/quality-verdict';
import type { DeploymentReport, Report } from '@/server/core/run/report';

export const FAIL_ON = ['regression', 'quality'] as const;
export type FailOn = (typeof FAIL_ON)[number];

/** Why the answer of a run is no, in a sentence; null where it is yes. Slower alone is a yes unless asked otherwise. */
export function whyNo(spec: ExperimentSpec, report: Report, failOn: readonly FailOn[]): string | null {
  for (const deployment of report.deployments) {
    const why =
      failure(deployment) ??
      (failOn.includes('quality') ? qualityLoss(spec, report, deployment) : null) ??
      (failOn.includes('regression') ? regression(deployment) : null);
    if (why !== null) return `${deployment.label}${why}`;
  }
  return null;
}

function failure(deployment: DeploymentReport): string | null {
  const counted = deployment.results.flatMap((r) => r.trials.filter((t) => !t.superseded));
  const reason = counted.find((t) => t.reasons.length > 0)?.reasons[0];
  if (!counted.some((t) => t.state === 'succeeded')) return ` did not run: ${reason ?? 'no trial ended'}`;
  return counted.some((t) => t.valid) ? null : ` has no valid trial: ${reason ?? 'reason unknown'}`;
}

function qualityLoss(spec: ExperimentSpec, report: Report, deployment: DeploymentReport): string | null {
  const plan = spec.arms.find((p) => p.deployment === deployment.deployment);
  if (plan === undefined || plan.isBaseline) return null;
  const baseline = report.deployments.find((d) => d.isBaseline)?.quality ?? null;
  const verdict = judgeQuality(plan, deployment.quality, baseline, spec.qualityBudgetKl);
  return verdict === 'lossless' || verdict === 'within' ? null : `: ${QUALITY_WORDS[verdict]}`;
}

function regression(deployment: DeploymentReport): string | null {
  for (const result of deployment.results) {
    const worse = Object.entries(result.comparison).find(([, c]) => c.verdict === 'slower' || c.verdict === 'worse');
    if (worse !== undefined) return ` is ${worse[1].verdict} in ${worse[0]} on ${result.workload}`;
  }
  return null;
}

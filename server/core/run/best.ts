import { METRIC_INFO } from '../metrics/metric-info';
import type { ExperimentSpec } from './experiment';
import { judgeQuality, QUALITY_WORDS } from './quality-verdict';
import type { DeploymentReport, Report, WorkloadReport } from './report';

/** Online: goodput under the limits; offline: output tokens per second. */
export function objectiveOf(spec: ExperimentSpec): string {
  const target = spec.workloads.find((w) => w.role === 'target') ?? spec.workloads[0];
  return target && target.slos.length > 0 ? 'goodputRequestsPerS' : 'outputTokensPerS';
}

/** The result that decides: the target's first level. */
export const decidingResult = (deployment: DeploymentReport): WorkloadReport | null =>
  deployment.results.find((r) => r.role === 'target') ?? deployment.results[0] ?? null;

/**
 * At most one crown: the highest objective among those significantly ahead of the baseline, valid, within the
 * quality budget. Guards must not be worse where they were measured. None is a good answer.
 */
export function crownBest(spec: ExperimentSpec, deployments: readonly DeploymentReport[]): Report['best'] {
  const metric = objectiveOf(spec);
  const candidates = deployments.flatMap((deployment, arm) => {
    const plan = spec.arms[arm];
    const result = decidingResult(deployment);
    const value = result?.metrics[metric]?.value;
    const verdict = result?.comparison[metric]?.verdict;
    if (!plan || deployment.isBaseline || typeof value !== 'number') return [];
    if (verdict !== 'faster' && verdict !== 'better') return [];
    const quality = judgeQuality(plan, deployment.quality, deployments[0]?.quality ?? null, spec.qualityBudgetKl);
    return quality === 'lossless' || quality === 'within' ? [{ deployment, value, quality }] : [];
  });
  const best = candidates.sort((a, b) => b.value - a.value)[0];
  if (!best) return null;
  const label = METRIC_INFO[metric]?.label ?? metric;
  return {
    deployment: best.deployment.deployment,
    metric,
    reason: `highest ${label} of those significantly ahead of the baseline, ${QUALITY_WORDS[best.quality]}`,
  };
}

import { METRIC_INFO } from '../metrics/metric-info';
import { decidingResult, objectiveOf } from './best';
import type { ExperimentSpec } from './experiment';
import { judgeQuality, QUALITY_WORDS } from './quality-verdict';
import type { Comparison, DeploymentReport, Report } from './report';

const minus = (text: string): string => text.replace('-', '−');
const ratio = (percent: number): string => (1 + percent / 100).toFixed(2);
const signed = (percent: number): string => minus(`${percent > 0 ? '+' : ''}${percent.toFixed(0)} %`);
const isSignificant = (c: Comparison): boolean =>
  c.verdict !== null && c.verdict !== 'no significant difference' && c.verdict !== 'too noisy';

/** "2.25× the baseline's output tokens/s (2.18–2.31)" for a rate, "TTFT p50 −37 %" for the rest. */
function phrase(metric: string, c: Comparison, leads: boolean): string {
  const label = METRIC_INFO[metric]?.label ?? metric;
  if (!leads) return `${label} ${signed(c.changePercent)}`;
  const range = c.low === null || c.high === null ? '' : ` (${ratio(c.low)}–${ratio(c.high)})`;
  return `${ratio(c.changePercent)}× the baseline's ${label}${range}`;
}

/** Metrics in the order of speaking: the objective first, then the other primary ones. */
function spokenMetrics(spec: ExperimentSpec): string[] {
  const objective = objectiveOf(spec);
  const first = spec.primaryMetrics.includes(objective) ? [objective] : [];
  return [...first, ...spec.primaryMetrics.filter((m) => m !== objective)];
}

function describeSignificant(
  spec: ExperimentSpec,
  deployment: DeploymentReport,
  arm: number,
  baseline: DeploymentReport,
): string | null {
  const comparison = decidingResult(deployment)?.comparison ?? {};
  const clear = spokenMetrics(spec).flatMap((metric) => {
    const c = comparison[metric];
    return c && isSignificant(c) ? [{ metric, c }] : [];
  });
  const [lead, ...rest] = clear;
  const plan = spec.arms[arm];
  if (!lead || !plan) return null;
  const isRate = METRIC_INFO[lead.metric]?.kind === 'rate';
  const verb = isRate ? 'gives' : 'has';
  const parts = [phrase(lead.metric, lead.c, isRate), ...rest.map((x) => phrase(x.metric, x.c, false))];
  const quality = judgeQuality(plan, deployment.quality, baseline.quality, spec.qualityBudgetKl);
  if (quality !== 'lossless') parts.push(QUALITY_WORDS[quality]);
  return `${deployment.label} ${verb} ${parts.join(', ')}`;
}

/** Where nothing is clear: "makes no significant difference" or "too noisy, 3 more blocks". */
function describeUnclear(spec: ExperimentSpec, deployment: DeploymentReport): string {
  const comparison = decidingResult(deployment)?.comparison ?? {};
  const verdicts = spokenMetrics(spec).flatMap((metric) => comparison[metric] ?? []);
  if (verdicts.length === 0) return `${deployment.label} has no valid result`;
  if (verdicts.every((c) => c.verdict === 'no significant difference')) {
    return `${deployment.label} makes no significant difference`;
  }
  const more = Math.max(...verdicts.map((c) => c.moreBlocks ?? 0));
  return `${deployment.label} is too noisy to tell${more > 0 ? ` (${more} more block${more === 1 ? '' : 's'})` : ''}`;
}

/** With one block nothing is called faster: figures only. */
function describeOneBlock(spec: ExperimentSpec, deployments: readonly DeploymentReport[]): string {
  const parts = deployments.slice(1).flatMap((deployment) => {
    const comparison = decidingResult(deployment)?.comparison ?? {};
    const metric = spokenMetrics(spec).find((m) => comparison[m]);
    const c = metric ? comparison[metric] : undefined;
    return metric && c
      ? [`${deployment.label} ${METRIC_INFO[metric]?.label ?? metric} ${signed(c.changePercent)}`]
      : [];
  });
  const figures = parts.length > 0 ? `: ${parts.join('; ')}` : '';
  return `One block so far, too few for a verdict${figures}.`;
}

function describeAlone(spec: ExperimentSpec, deployment: DeploymentReport): string {
  const result = decidingResult(deployment);
  if (!result || result.trust.grade === 'invalid') {
    return `${deployment.label}: no valid result (${result?.trust.reasons[0] ?? 'nothing was measured'}).`;
  }
  const parts = spokenMetrics(spec).flatMap((metric) => {
    const value = result.metrics[metric]?.value;
    const info = METRIC_INFO[metric];
    if (typeof value !== 'number' || !info) return [];
    const unit = info.kind === 'rate' ? '' : ` ${info.unit}`;
    return [`${info.label} ${value >= 100 ? value.toFixed(0) : value.toPrecision(3)}${unit}`];
  });
  return `${deployment.label}: ${parts.join(', ')}.`;
}

/** The report in a sentence for people; clear gains first, best one at the front, then losses, then the rest. */
export function writeSentence(
  spec: ExperimentSpec,
  deployments: readonly DeploymentReport[],
  best: Report['best'],
): string {
  const [baseline, ...variants] = deployments;
  if (!baseline) return 'Nothing was measured.';
  if (variants.length === 0) return describeAlone(spec, baseline);
  const all = variants.flatMap((d) => spokenMetrics(spec).flatMap((m) => decidingResult(d)?.comparison[m] ?? []));
  if (all.length === 0) return 'No block has been measured yet in the baseline and a variant.';
  if (all.every((c) => c.verdict === null)) return describeOneBlock(spec, deployments);
  const change = (d: DeploymentReport): number => decidingResult(d)?.comparison[objectiveOf(spec)]?.changePercent ?? 0;
  const rank = (d: DeploymentReport): number => (d.deployment === best?.deployment ? Infinity : change(d));
  const ordered = variants
    .map((deployment, i) => ({ deployment, arm: i + 1 }))
    .sort((a, b) => rank(b.deployment) - rank(a.deployment));
  const clear = ordered.map((o) => describeSignificant(spec, o.deployment, o.arm, baseline));
  const unclear = ordered.filter((_, i) => clear[i] === null).map((o) => describeUnclear(spec, o.deployment));
  return `${[...clear.filter((c) => c !== null), ...unclear].join('; ')}.`;
}

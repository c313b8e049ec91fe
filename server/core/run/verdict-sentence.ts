import { METRIC_INFO } from '../metrics/metric-info';
import { decidingResult, objectiveOf } from './best';
import type { ExperimentSpec } from './experiment';
import { moreBlocksText } from './more-blocks';
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

/** The rest, each group in one clause: draws, those that noise hides, those without a result. */
function describeUnclear(spec: ExperimentSpec, deployments: readonly DeploymentReport[], busy: boolean): string[] {
  const groups = { equal: [] as Unclear[], few: [] as Unclear[], noisy: [] as Unclear[], none: [] as Unclear[] };
  for (const deployment of deployments) {
    const unclear = classifyUnclear(spec, deployment);
    groups[unclear.kind].push(unclear);
  }
  const { equal, few, noisy, none } = groups;
  const why = busy ? 'too noisy on this host, probably because it was busy' : 'too noisy on this host';
  return [
    ...(equal.length > 0
      ? [`${namesOf(equal)} ${equal.length === 1 ? 'makes' : 'make'} no significant difference`]
      : []),
    ...(few.length > 0 ? [`no verdict yet on ${namesOf(few)}: too few blocks (${mostMore(few)})`] : []),
    ...(noisy.length > 0 ? [`no verdict yet on ${namesOf(noisy)}: ${why} (${mostMore(noisy)})`] : []),
    ...(none.length > 0 ? [`no valid result of ${namesOf(none)}`] : []),
  ];
}

interface Unclear {
  kind: 'equal' | 'few' | 'noisy' | 'none';
  label: string;
  moreBlocks: number;
}

/** Blocks before which nothing is judged (core/run/compare: the first look). */
const FIRST_LOOK = 3;

function classifyUnclear(spec: ExperimentSpec, { label, ...deployment }: DeploymentReport): Unclear {
  const result = decidingResult({ label, ...deployment });
  const found = spokenMetrics(spec).filter((metric) => result?.comparison[metric]);
  const verdicts = found.flatMap((metric) => result?.comparison[metric] ?? []);
  if (verdicts.length === 0) return { kind: 'none', label, moreBlocks: 0 };
  if (verdicts.every((c) => c.verdict === 'no significant difference')) return { kind: 'equal', label, moreBlocks: 0 };
  const moreBlocks = Math.max(...verdicts.map((c) => c.moreBlocks ?? 0));
  const blocks = new Set(result?.trials.flatMap((t) => (t.valid && !t.superseded ? [t.block] : []))).size;
  return { kind: blocks < FIRST_LOOK ? 'few' : 'noisy', label, moreBlocks };
}

/** "A", "A and B", "A, B and C". */
function namesOf(of: readonly Unclear[]): string {
  const labels = of.map((o) => o.label);
  return labels.length < 2 ? (labels[0] ?? '') : `${labels.slice(0, -1).join(', ')} and ${labels.at(-1)}`;
}

const mostMore = (of: readonly Unclear[]): string => moreBlocksText(Math.max(...of.map((o) => o.moreBlocks)));

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

/**
 * The report in a sentence for people; clear gains first, best one at the front, then losses, then the rest by group.
 * @param busy whether others worked on the host meanwhile: the likely cause of noise
 */
export function writeSentence(
  spec: ExperimentSpec,
  deployments: readonly DeploymentReport[],
  best: Report['best'],
  busy = false,
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
  const rest = variants.filter((d) => clear[ordered.findIndex((o) => o.deployment === d)] === null);
  const unclear = describeUnclear(spec, rest, busy);
  const clauses = [...clear.filter((c) => c !== null), ...unclear].join('; ');
  // Labels keep their own case; our words begin a sentence.
  return `${clauses.replace(/^no (?=verdict|valid)/, 'No ')}.`;
}

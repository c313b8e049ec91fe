import { METRIC_INFO } from '@/server/core/metrics/metric-info';
import type { ExperimentSpec } from '@/server/core/run/experiment';
import { moreBlocksText } from '@/server/core/run/more-blocks';
import { judgeQuality, QUALITY_WORDS } from '@/server/core/run/quality-verdict';
import type { Comparison, DeploymentReport, Report } from '@/server/core/run/report';

const NUMBER = new Intl.NumberFormat('en', { maximumSignificantDigits: 4, useGrouping: false });
const number = (value: number | null | undefined): string => (value == null ? '–' : NUMBER.format(value));
const percent = (value: number): string => `${value > 0 ? '+' : ''}${value.toFixed(1)} %`.replace('-', '−');

function changeText(c: Comparison | undefined): string {
  if (c === undefined) return '';
  const range = c.low === null || c.high === null ? '' : ` (${percent(c.low)} … ${percent(c.high)})`;
  const more = c.moreBlocks === null ? '' : `, ${moreBlocksText(c.moreBlocks)}`;
  return `${percent(c.changePercent)}${range}${c.verdict === null ? '' : `: ${c.verdict}${more}`}`;
}

/** Rows of text as columns; the last one is not padded. */
export function alignColumns(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows)
    row.forEach((cell, i) => {
      widths[i] = Math.max(widths[i] ?? 0, cell.length);
    });
  return rows.map((row) =>
    row
      .map((cell, i) => (i === row.length - 1 ? cell : cell.padEnd(widths[i] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
}

function deploymentRows(spec: ExperimentSpec, deployment: DeploymentReport): string[][] {
  const rows: string[][] = [];
  const shown = [...spec.primaryMetrics, 'cpuMsPerOutputToken'];
  const name = deployment.isBaseline ? `${deployment.label} (baseline)` : deployment.label;
  for (const result of deployment.results) {
    for (const [i, metric] of shown.entries()) {
      const value = result.metrics[metric];
      if (value === undefined) continue;
      rows.push([
        i === 0 ? name : '',
        METRIC_INFO[metric]?.label ?? metric,
        `${number(value.value)} ${value.unit}`,
        deployment.isBaseline ? '' : changeText(result.comparison[metric]),
      ]);
    }
    const counted = result.trials.filter((t) => !t.superseded);
    const valid = counted.filter((t) => t.valid).length;
    rows.push(['', 'trials', `${valid} of ${counted.length} valid`, '']);
  }
  return rows;
}

const baselineQuality = (report: Report) => report.deployments.find((d) => d.isBaseline)?.quality ?? null;

function qualityText(spec: ExperimentSpec, report: Report, deployment: DeploymentReport): string | null {
  const plan = spec.arms.find((p) => p.deployment === deployment.deployment);
  const { quality } = deployment;
  if (plan === undefined || quality === null || quality.perplexity === null) return null;
  const words = plan.isBaseline
    ? 'baseline'
    : QUALITY_WORDS[judgeQuality(plan, quality, baselineQuality(report), spec.qualityBudgetKl)];
  return `quality of ${deployment.label}: perplexity ${number(quality.perplexity)}, KL ${number(quality.klDivergence)} (noise ${number(quality.noiseFloor)}), top-1 ${number(quality.top1Agreement)}; ${words}`;
}

function deviations(deployment: DeploymentReport): string[] {
  return deployment.effective
    .filter((row) => row.state === 'changed' || row.state === 'ignored')
    .map(
      (row) => `${deployment.label}: ${row.setting} ${row.state}: asked ${String(row.asked)}, got ${String(row.got)}`,
    );
}

/** The report as a person reads it: sentence, table, quality, what the engine changed, notes. */
export function formatReport(spec: ExperimentSpec, report: Report): string {
  const header = ['deployment', 'metric', 'value', 'change against the baseline'];
  const rows = report.deployments.flatMap((d) => deploymentRows(spec, d));
  const quality = report.deployments.flatMap((d) => qualityText(spec, report, d) ?? []);
  return [
    `${report.stamp}: ${report.sentence}`,
    '',
    ...alignColumns([header, ...rows]),
    '',
    ...quality,
    ...report.deployments.flatMap(deviations),
    ...report.notes.map((note) => `note: ${note}`),
    '',
  ].join('\n');
}

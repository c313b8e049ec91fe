import { Document } from 'yaml';
import { type Finding, finding } from '../plan/finding';
import type { Slo, Workload } from '../workload/workload';
import { oneLine } from './comment';
import type { Exported, Exporter, ExportInput } from './exporter';
import { besideServerHead, upstreamOf } from './gateways/upstream';
import { refuseWithoutMetrics } from './grafana-dashboard';
import { BURN_RATES, budgetOf, lateShare, WINDOWS } from './monitoring/burn-rates';
import { histogramsOf, LATENCY_OF_SLO, type LatencyKind } from './monitoring/engine-histograms';
import { boundFor } from './monitoring/histogram-bounds';

interface Rule {
  record?: string;
  alert?: string;
  expr: string;
  for?: string;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
}

/** Text in an annotation or a label; braces would start a template there. */
const plain = (text: string): string => oneLine(text).replaceAll('{', '(').replaceAll('}', ')');

const LABELS: Record<LatencyKind, string> = {
  ttft: 'time to first token',
  tpot: 'time per output token',
  itl: 'inter-token latency',
  e2e: 'end-to-end latency',
  queue: 'queue time',
};

interface Limit {
  slo: Slo;
  workload: Workload;
  kind: LatencyKind;
  name: string;
}

const sloId = ({ slo, kind }: Limit): string => `${kind}-p${String(slo.percentile).replace('.', '')}-${slo.limitMs}ms`;

/** Rules for one limit whose bucket is known: the late share by window, then the alerts. */
function burnRules(limit: Limit, boundS: number, baseLabels: { plan: string }): Rule[] {
  const { slo, kind, name, workload } = limit;
  const labels = { ...baseLabels, slo: sloId(limit), workload: plain(workload.id) };
  const budget = budgetOf(slo);
  const record = (window: string): string => `inferloom:${kind}_late:ratio_rate${window}`;
  const selector = `{slo=${JSON.stringify(labels.slo)}, workload=${JSON.stringify(labels.workload)}, plan=${JSON.stringify(labels.plan)}}`;
  const records = WINDOWS.map((window) => ({
    record: record(window),
    expr: lateShare(name, boundS, '', window),
    labels,
  }));
  const alerts = BURN_RATES.filter(({ factor }) => factor * budget < 1).map(
    ({ severity, factor, long, short, budget: share }): Rule => {
      const threshold = Number((factor * budget).toPrecision(6));
      return {
        alert: `Inferloom${kind === 'e2e' ? 'E2e' : kind.charAt(0).toUpperCase() + kind.slice(1)}BudgetBurn`,
        expr: `${record(long)}${selector} > ${threshold} and ${record(short)}${selector} > ${threshold}`,
        labels: { ...labels, severity, window: long },
        annotations: {
          summary: plain(
            `p${slo.percentile} ${LABELS[kind]} ≤ ${slo.limitMs} ms burns its budget ${factor} times too fast`,
          ),
          description: plain(
            `Over ${long} and ${short} more than ${threshold * 100} % of requests took longer than ${boundS} s; that spends ${share} of the budget of 30 days. Limit of workload ${workload.title}.`,
          ),
        },
      };
    },
  );
  return [...records, ...alerts];
}

/** Where the buckets were not read: the quantile itself, over a long and a short window. */
function quantileRules({ slo, kind, name, workload }: Limit, baseLabels: { plan: string }): Rule[] {
  const quantile = (window: string): string =>
    `histogram_quantile(${Number((slo.percentile / 100).toPrecision(6))}, sum by (le) (rate(${name}_bucket[${window}]))) > ${slo.limitMs / 1000}`;
  return [
    {
      alert: `Inferloom${kind.charAt(0).toUpperCase()}${kind.slice(1)}AboveLimit`,
      expr: `(${quantile('1h')}) and (${quantile('5m')})`,
      labels: { ...baseLabels, workload: plain(workload.id), severity: 'page' },
      annotations: { summary: plain(`p${slo.percentile} ${LABELS[kind]} is above ${slo.limitMs} ms`) },
    },
  ];
}

function rulesOf(limit: Limit, engineId: string, labels: { plan: string }): { rules: Rule[]; findings: Finding[] } {
  const { slo, kind, workload } = limit;
  const bound = boundFor(engineId, kind, slo.limitMs);
  const where = { nodeId: workload.nodeId };
  const wanted = `p${slo.percentile} ${kind} ≤ ${slo.limitMs} ms`;
  if (bound === null) {
    const message = `${wanted}: no bucket of ${limit.name} is known at or below it; the rule watches the quantile, not the budget.`;
    return {
      rules: quantileRules(limit, labels),
      findings: [finding('warning', 'slo-without-bucket', message, where)],
    };
  }
  const isExact = bound.boundS * 1000 === slo.limitMs;
  const message = `${wanted}: the nearest bucket ends at ${bound.boundS} s; requests between count as late.`;
  const findings = isExact ? [] : [finding('warning', 'slo-bucket', message, { ...where, source: bound.source })];
  const mild = BURN_RATES.filter(({ factor }) => factor * budgetOf(slo) >= 1);
  const dropped = mild.map(({ factor, long }) =>
    finding(
      'info',
      'burn-rate-impossible',
      `${wanted}: a budget of ${budgetOf(slo) * 100} % cannot burn ${factor} times too fast over ${long}.`,
      where,
    ),
  );
  return { rules: burnRules(limit, bound.boundS, labels), findings: [...findings, ...dropped] };
}

function limitsOf(workloads: readonly Workload[], engineId: string): { limits: Limit[]; findings: Finding[] } {
  const names = histogramsOf(engineId)?.names ?? {};
  const findings: Finding[] = [];
  const limits = workloads.flatMap((workload) =>
    workload.slos.flatMap((slo): Limit[] => {
      const kind = LATENCY_OF_SLO[slo.metric];
      const name = names[kind];
      if (name !== undefined) return [{ slo, workload, kind, name }];
      const message = `p${slo.percentile} ${kind} ≤ ${slo.limitMs} ms is not in the file: ${engineId} keeps no histogram of it.`;
      findings.push(finding('warning', 'not-in-manifest', message, { nodeId: workload.nodeId }));
      return [];
    }),
  );
  return { limits, findings };
}

function render(input: ExportInput): Exported {
  const { plan, engine, workloads } = input;
  const { limits, findings } = limitsOf(workloads, engine.id);
  if (limits.length === 0) {
    const message = `No workload of ${plan.deployment} sets a limit that ${engine.title} can show: there is nothing to alert on.`;
    return { files: [], findings: [...findings, finding('error', 'no-slo', message)] };
  }
  const labels = { plan: plan.planHash.slice(0, 12) };
  const made = limits.map((limit) => ({ id: sloId(limit), ...rulesOf(limit, engine.id, labels) }));
  const { upstream, launch } = upstreamOf(input);
  const name = `inferloom-${plan.planHash.slice(0, 12)}`;
  const document = new Document(
    {
      apiVersion: 'monitoring.coreos.com/v1',
      kind: 'PrometheusRule',
      metadata: { name, labels: { 'app.kubernetes.io/managed-by': 'inferloom' } },
      spec: {
        groups: made.map(({ id, rules }, i) => ({ name: `${name}-${id}-${i + 1}`, interval: '30s', rules })),
      },
    },
    { aliasDuplicateObjects: false },
  );
  const head = [
    ...besideServerHead(input, { ...launch, findings: [] }, upstream),
    'The rules see every server whose metrics Prometheus holds under these names; add a selector where there are others.',
  ];
  document.commentBefore = head.map((line) => ` ${oneLine(line)}`).join('\n');
  const content = document.toString({ lineWidth: 0 });
  return {
    files: [{ path: 'prometheus-rule.yaml', content }],
    findings: [...findings, ...made.flatMap((m) => m.findings)],
  };
}

export const prometheusRule: Exporter = {
  id: 'prometheus-rule',
  group: 'monitoring',
  title: 'PrometheusRule',
  summary: "alerts on how fast the budget of the workload's limits burns, over several windows",
  refusal: refuseWithoutMetrics,
  supports: (plan) => refuseWithoutMetrics(plan) === null,
  render,
};

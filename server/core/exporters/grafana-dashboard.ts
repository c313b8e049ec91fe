import { type Finding, finding } from '../plan/finding';
import type { Exported, Exporter, ExportInput } from './exporter';
import { besideServerHead, upstreamOf } from './gateways/upstream';
import { acceptanceGauge, histogramsOf, type LatencyKind } from './monitoring/engine-histograms';
import { counterPanels, latencyPanel, type PanelSpec } from './monitoring/panels';

/** Grafana 11 and later read this schema version. */
const SCHEMA_VERSION = 39;
const WIDTH = 12;
const HEIGHT = 8;
const SOURCE = { type: 'prometheus', uid: '$datasource' };

const LATENCIES: readonly LatencyKind[] = ['ttft', 'tpot', 'itl', 'e2e', 'queue'];

/** A line at the limit; without one the panel has no thresholds. */
const thresholds = (limit: PanelSpec['limit']) => ({
  mode: 'absolute',
  steps: [{ color: 'green', value: null }, ...(limit === null ? [] : [{ color: 'red', value: limit.value }])],
});

function panelJson(spec: PanelSpec, i: number) {
  const { title, description, unit, targets, limit, max } = spec;
  return {
    id: i + 1,
    type: 'timeseries',
    title,
    description: limit === null ? description : `${description} Line: ${limit.label}.`,
    datasource: SOURCE,
    gridPos: { h: HEIGHT, w: WIDTH, x: (i % 2) * WIDTH, y: Math.floor(i / 2) * HEIGHT },
    fieldConfig: {
      defaults: {
        unit,
        min: 0,
        ...(max === undefined ? {} : { max }),
        custom: { drawStyle: 'line', lineWidth: 1, thresholdsStyle: { mode: limit === null ? 'off' : 'line' } },
        thresholds: thresholds(limit),
      },
      overrides: [],
    },
    options: {
      legend: { displayMode: 'list', placement: 'bottom', showLegend: true, calcs: [] },
      tooltip: { mode: 'multi', sort: 'desc' },
    },
    targets: targets.map(({ expr, legend }, n) => ({
      refId: String.fromCharCode(65 + n),
      datasource: SOURCE,
      expr,
      legendFormat: legend,
      range: true,
    })),
  };
}

const variable = (name: string, label: string, query: string) => ({
  name,
  label,
  type: 'query',
  datasource: SOURCE,
  query: { query, refId: `${name}-variable` },
  includeAll: true,
  allValue: '.*',
  multi: true,
  refresh: 2,
  sort: 1,
  current: { text: 'All', value: '$__all' },
});

/** Chooses the data source, then the scrape jobs that know the metric, then their instances. */
const templating = (known: string) => ({
  list: [
    { name: 'datasource', label: 'Data source', type: 'datasource', query: 'prometheus', current: {}, refresh: 1 },
    variable('job', 'Job', `label_values(${known}, job)`),
    variable('instance', 'Instance', `label_values(${known}{job=~"$job"}, instance)`),
  ],
});

function findingsFor({ engine, workloads, plan }: ExportInput, names: Partial<Record<LatencyKind, string>>): Finding[] {
  const missing = (['ttft', 'e2e'] as const).filter((kind) => names[kind] === undefined);
  const tpot = names.tpot === undefined && names.itl === undefined ? ['tpot'] : [];
  const lost = [...missing, ...tpot];
  return [
    ...(lost.length === 0
      ? []
      : [
          finding(
            'warning',
            'metric-not-exposed',
            `${engine.title} keeps no histogram of ${lost.join(', ')}: the dashboard has no panel for it.`,
          ),
        ]),
    ...(workloads.some(({ slos }) => slos.length > 0)
      ? []
      : [finding('info', 'no-slo', `No workload of ${plan.deployment} sets a limit: the panels have no line.`)]),
  ];
}

function render(input: ExportInput): Exported {
  const { plan, engine, workloads } = input;
  const { upstream, launch } = upstreamOf(input);
  const names = histogramsOf(engine.id)?.names ?? {};
  const latencies = LATENCIES.flatMap((kind) => {
    const name = names[kind];
    return name === undefined ? [] : [latencyPanel(kind, name, workloads)];
  });
  const specs = [...latencies, ...counterPanels(engine.metricNames, acceptanceGauge(engine.id))];
  const known = engine.metricNames.running ?? Object.values(engine.metricNames)[0] ?? 'up';
  const dashboard = {
    uid: `inferloom-${plan.planHash.slice(0, 12)}`,
    title: `${plan.label}: ${engine.title}`,
    description: besideServerHead(input, { ...launch, findings: [] }, upstream).join('\n'),
    tags: ['inferloom', engine.id],
    schemaVersion: SCHEMA_VERSION,
    version: 1,
    editable: true,
    graphTooltip: 1,
    timezone: 'browser',
    refresh: '30s',
    time: { from: 'now-1h', to: 'now' },
    templating: templating(known),
    annotations: { list: [] },
    links: [],
    panels: specs.map(panelJson),
  };
  return {
    files: [{ path: 'grafana-dashboard.json', content: `${JSON.stringify(dashboard, null, 2)}\n` }],
    findings: findingsFor(input, names),
  };
}

/** Why an engine's counters cannot be drawn or watched: it has none. Plans name engines, exporters see no registry here. */
const WITHOUT_METRICS: Readonly<Record<string, string>> = {
  transformers: 'transformers serve has no Prometheus metrics',
  'onnxruntime-genai': 'ONNX Runtime GenAI is a library without metrics of its own',
  endpoint: 'the metrics of a server that runs already are not known',
};

export const refuseWithoutMetrics: Exporter['refusal'] = (plan) => {
  const reason = WITHOUT_METRICS[plan.components[0]?.engine ?? ''];
  return reason === undefined ? null : `${plan.deployment}: ${reason}.`;
};

export const grafanaDashboard: Exporter = {
  id: 'grafana-dashboard',
  group: 'monitoring',
  title: 'Grafana dashboard',
  summary: "latency quantiles, throughput, cache, queue and acceptance from the engine's own metrics",
  refusal: refuseWithoutMetrics,
  supports: (plan) => refuseWithoutMetrics(plan) === null,
  render,
};

import type { Engine } from '../../engines/engine';
import type { Workload } from '../../workload/workload';
import { LATENCY_OF_SLO, type LatencyKind } from './engine-histograms';

export interface Target {
  expr: string;
  legend: string;
}

/** What one panel shows; the dashboard lays them out. Units are those of Grafana's field options. */
export interface PanelSpec {
  title: string;
  description: string;
  unit: 's' | 'percentunit' | 'short' | 'suffix: tokens/s' | 'cps';
  targets: Target[];
  /** Seconds (or shares): a line across the panel. */
  limit: { value: number; label: string } | null;
  max?: number;
}

/** Filled in by Grafana: the job and the instance that a viewer chose. */
const SELECTOR = '{job=~"$job", instance=~"$instance"}';
const WINDOW = '$__rate_interval';

const QUANTILES = [
  [0.5, 'p50'],
  [0.9, 'p90'],
  [0.95, 'p95'],
  [0.99, 'p99'],
] as const;

const LATENCY_TITLES: Record<LatencyKind, string> = {
  ttft: 'Time to first token',
  tpot: 'Time per output token',
  itl: 'Inter-token latency',
  e2e: 'End-to-end latency',
  queue: 'Time in the queue',
};

/** The strictest limit of any workload on one latency, in seconds. */
function limitOf(kind: LatencyKind, workloads: readonly Workload[]): PanelSpec['limit'] {
  const limits = workloads
    .flatMap(({ title, slos }) => slos.map((slo) => ({ ...slo, title })))
    .filter(({ metric }) => LATENCY_OF_SLO[metric] === kind)
    .sort((a, b) => a.limitMs - b.limitMs);
  const [first] = limits;
  return first === undefined
    ? null
    : { value: first.limitMs / 1000, label: `limit of ${first.title}: p${first.percentile} ≤ ${first.limitMs} ms` };
}

export const latencyPanel = (kind: LatencyKind, name: string, workloads: readonly Workload[]): PanelSpec => ({
  title: LATENCY_TITLES[kind],
  description: `Quantiles of ${name} over all requests.`,
  unit: 's',
  targets: QUANTILES.map(([quantile, legend]) => ({
    expr: `histogram_quantile(${quantile}, sum by (le) (rate(${name}_bucket${SELECTOR}[${WINDOW}])))`,
    legend,
  })),
  limit: limitOf(kind, workloads),
});

const sum = (name: string): string => `sum(${name}${SELECTOR})`;
const sumRate = (name: string): string => `sum(rate(${name}${SELECTOR}[${WINDOW}]))`;

type Names = Engine['metricNames'];

const panel = (
  title: string,
  description: string,
  unit: PanelSpec['unit'],
  targets: readonly (Target | null)[],
  max?: number,
): PanelSpec | null => {
  const given = targets.filter((target): target is Target => target !== null);
  if (given.length === 0) return null;
  return { title, description, unit, targets: given, limit: null, ...(max === undefined ? {} : { max }) };
};

const target = (name: string | undefined, legend: string, expr: (name: string) => string): Target | null =>
  name === undefined ? null : { expr: expr(name), legend };

const share = (part: string | undefined, whole: string | undefined, legend: string): Target | null =>
  part === undefined || whole === undefined ? null : { expr: `${sumRate(part)} / ${sumRate(whole)}`, legend };

/** Panels from the counters and gauges that an engine has; what it has not is no panel. */
export function counterPanels(names: Names, acceptance: string | null): PanelSpec[] {
  const all = [
    panel('Requests', 'Requests that run and that wait, of all replicas.', 'short', [
      target(names.running, 'running', sum),
      target(names.waiting, 'waiting', sum),
    ]),
    panel('Tokens per second', 'Prompt tokens read and tokens generated.', 'suffix: tokens/s', [
      target(names.generatedTokens, 'generated', sumRate),
      target(names.promptTokens, 'prompt', sumRate),
    ]),
    panel(
      'KV cache in use',
      'Share of the cache that holds tokens; the fullest replica.',
      'percentunit',
      [target(names.kvUsage, 'in use', (name) => `max(${name}${SELECTOR})`)],
      1,
    ),
    panel(
      'Draft acceptance',
      'Drafted tokens that the model accepted.',
      'percentunit',
      [
        share(names.acceptedTokens, names.draftTokens, 'accepted') ??
          target(acceptance ?? undefined, 'accepted', (name) => `avg(${name}${SELECTOR})`),
      ],
      1,
    ),
    panel(
      'Prompt tokens from the cache',
      'Prompt tokens that prefix caching saved.',
      'percentunit',
      [share(names.cachedTokens, names.promptTokens, 'cached')],
      1,
    ),
    panel('Preemptions per second', 'Sequences sent back for lack of cache.', 'cps', [
      target(names.preemptions, 'preempted', sumRate),
    ]),
  ];
  return all.filter((spec): spec is PanelSpec => spec !== null);
}

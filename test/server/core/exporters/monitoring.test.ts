import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { ENGINES } from '@/server/core/engines/index';
import { BURN_RATES, budgetOf, WINDOWS } from '@/server/core/exporters/monitoring/burn-rates';
import { histogramsOf } from '@/server/core/exporters/monitoring/engine-histograms';
import { boundFor } from '@/server/core/exporters/monitoring/histogram-bounds';
import { counterPanels, latencyPanel } from '@/server/core/exporters/monitoring/panels';
import { exported, fileOf } from '@/test/fixtures/export-form';
import { endpointPlan, vllmPlan, WORKLOAD } from '@/test/fixtures/gateway-plans';
import { faultsOf } from '@/test/schemas/check-file';
import { grafanaDashboardSchema, prometheusRuleSchema, promqlFaults } from '@/test/schemas/monitoring';

const CONTEXT = { workloads: [WORKLOAD], trial: null };
const dashboard = (): string => fileOf(vllmPlan(), 'grafana-dashboard', 'grafana-dashboard.json', CONTEXT);
const rules = (): string => fileOf(vllmPlan(), 'prometheus-rule', 'prometheus-rule.yaml', CONTEXT);

interface Panel {
  title: string;
  description: string;
  fieldConfig: { defaults: { unit: string; thresholds: { steps: { value: number | null }[] } } };
  targets: { expr: string; legendFormat: string }[];
}
interface Rule {
  record?: string;
  alert?: string;
  expr: string;
  labels: Record<string, string>;
  annotations?: Record<string, string>;
}

describe('Grafana dashboard', () => {
  it('is the golden file, twice the same', async () => {
    await expect(dashboard()).toMatchFileSnapshot('../../../golden/exports/grafana-dashboard.json');
    expect(dashboard()).toBe(dashboard());
  });

  it('has only what Grafana knows, a unit on every panel, and queries that PromQL reads', () => {
    const read = JSON.parse(dashboard());
    expect(faultsOf(grafanaDashboardSchema, read)).toEqual([]);
    const panels: Panel[] = read.panels;
    expect(panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => promqlFaults(expr)))).toEqual([]);
    expect(panels.map(({ title }) => title)).toEqual([
      'Time to first token',
      'Time per output token',
      'Inter-token latency',
      'End-to-end latency',
      'Time in the queue',
      'Requests',
      'Tokens per second',
      'KV cache in use',
      'Draft acceptance',
      'Prompt tokens from the cache',
      'Preemptions per second',
    ]);
    expect(panels[0]?.targets.map(({ legendFormat }) => legendFormat)).toEqual(['p50', 'p90', 'p95', 'p99']);
  });

  it('draws the limits of the workload', () => {
    const panels: Panel[] = JSON.parse(dashboard()).panels;
    const steps = (title: string) =>
      panels.find((p) => p.title === title)?.fieldConfig.defaults.thresholds.steps.map((s) => s.value);
    expect(steps('Time to first token')).toEqual([null, 0.5]);
    expect(steps('Time per output token')).toEqual([null, 0.06]);
    expect(steps('Inter-token latency')).toEqual([null]);
  });

  it.each(ENGINES.filter(({ metricNames }) => Object.keys(metricNames).length > 0).map((e) => [e.id, e] as const))(
    'has readable queries for %s',
    (id, engine) => {
      const latencies = Object.entries(histogramsOf(id)?.names ?? {}).map(([kind, name]) =>
        latencyPanel(kind as 'ttft', name, []),
      );
      const panels = [...latencies, ...counterPanels(engine.metricNames, null)];
      expect(panels.length).toBeGreaterThan(1);
      expect(panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => promqlFaults(expr)))).toEqual([]);
    },
  );

  it('says what an engine does not keep, and is refused where there is nothing', () => {
    const without = exported(vllmPlan(), 'grafana-dashboard');
    expect(without.findings.map(({ code }) => code)).toEqual(['no-slo']);
    const [component] = endpointPlan('http://x').components;
    const running = {
      ...vllmPlan(),
      components: component === undefined ? [] : [{ ...component, engine: 'endpoint' }],
    };
    expect(exported(running, 'grafana-dashboard').findings[0]?.message).toMatch(/not known/);
  });
});

describe('PrometheusRule', () => {
  it('is the golden file, twice the same', async () => {
    await expect(rules()).toMatchFileSnapshot('../../../golden/exports/prometheus-rule.yaml');
    expect(rules()).toBe(rules());
  });

  it('is of its kind and every expression is PromQL', () => {
    const read = parse(rules());
    expect(faultsOf(prometheusRuleSchema, read)).toEqual([]);
    const all: Rule[] = read.spec.groups.flatMap((group: { rules: Rule[] }) => group.rules);
    expect(all.flatMap(({ expr }) => promqlFaults(expr))).toEqual([]);
    expect(promqlFaults('sum(rate(x{a=5}[5m)')).not.toEqual([]);
  });

  it('alerts over two windows at each burn rate, from recorded shares of late requests', () => {
    const [ttft] = parse(rules()).spec.groups as { rules: Rule[] }[];
    expect(ttft?.rules.filter((rule) => rule.record !== undefined).map(({ record }) => record)).toEqual(
      WINDOWS.map((window) => `inferloom:ttft_late:ratio_rate${window}`),
    );
    expect(ttft?.rules[0]?.expr).toContain('time_to_first_token_seconds_bucket{le="0.5"}[5m]');
    const alerts = ttft?.rules.filter((rule) => rule.alert !== undefined) ?? [];
    expect(alerts.map(({ labels }) => [labels.severity, labels.window])).toEqual(
      BURN_RATES.map((rate) => [rate.severity, rate.long]),
    );
    expect(alerts[0]?.expr).toMatch(/ratio_rate1h\{.*\} > 0\.144 and inferloom:ttft_late:ratio_rate5m\{.*\} > 0\.144$/);
    const recorded = new Set(ttft?.rules.map(({ record }) => record));
    for (const { expr } of alerts) {
      for (const [name] of expr.matchAll(/inferloom:\w+:\w+/g)) expect(recorded).toContain(name);
    }
  });

  it('takes the bucket below a limit, and says so; texts open no template', () => {
    const { findings } = exported(vllmPlan(), 'prometheus-rule', CONTEXT);
    expect(findings.filter((f) => f.code === 'slo-bucket').map((f) => f.message)).toEqual([
      'p99.9 tpot ≤ 60 ms: the nearest bucket ends at 0.05 s; requests between count as late.',
      'p50 e2e ≤ 3000 ms: the nearest bucket ends at 2.5 s; requests between count as late.',
    ]);
    expect(findings.filter((f) => f.code === 'burn-rate-impossible')).toHaveLength(3);
    expect(
      parse(rules())
        .spec.groups.flatMap((g: { rules: Rule[] }) => g.rules.map((r) => JSON.stringify(r.annotations ?? {})))
        .join(),
    ).not.toMatch(/\{\{/);
    expect(boundFor('vllm', 'ttft', 0.5)).toBeNull();
    expect(budgetOf({ metric: 'ttftMs', limitMs: 1, percentile: 99.9 })).toBe(0.001);
  });

  it('has nothing to say without limits', () => {
    const { files, findings } = exported(vllmPlan(), 'prometheus-rule', {
      workloads: [{ ...WORKLOAD, slos: [] }],
      trial: null,
    });
    expect(files).toEqual([]);
    expect(findings).toMatchObject([{ severity: 'error', code: 'no-slo' }]);
  });
});

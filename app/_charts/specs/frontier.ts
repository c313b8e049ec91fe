import type { FrontierSeries } from '../chart-data';
import { type ChartArm, type ChartInput, loadText } from '../chart-input';
import type { ChartSpec } from '../chart-spec';

function frontierOf(run: ChartInput, arm: ChartArm): FrontierSeries {
  const points = (run.allLoads.get(arm.index) ?? []).flatMap((result) => {
    const x = result.metrics.outputTokensPerS;
    const y = result.metrics.ttftMsP50;
    if (x?.value == null || y?.value == null) return [];
    const invalid = result.trust.grade === 'invalid';
    const note = invalid ? result.trust.reasons.join('; ') : (x.mark ?? y.mark);
    return [{ x: x.value, y: y.value, load: loadText(result.load), hollow: invalid || note !== null, note }];
  });
  return { arm: arm.index, label: arm.label, isBaseline: arm.isBaseline, points };
}

export const frontier: ChartSpec = {
  id: 'frontier',
  title: 'How much throughput before latency passes the limit?',
  unit: 'ms TTFT p50',
  better: 'lower',
  prepare: (run) => {
    const series = run.arms.map((arm) => frontierOf(run, arm)).filter((s) => s.points.length > 0);
    const slo = run.slos.find((s) => s.metric === 'ttftMs');
    const single = series.every((s) => s.points.length === 1);
    return {
      kind: 'frontier',
      empty: series.length > 0 ? null : 'Points appear when the first trial has ended.',
      note: single ? 'one load level each; add load levels to the workload to see where latency turns' : null,
      x: { label: 'output tokens/s', unit: 'tok/s' },
      limit: slo ? { value: slo.limitMs, label: `SLO p${slo.percentile} ${slo.limitMs} ms` } : null,
      series,
    };
  },
};

import type { LatencyFamily } from '@/server/core/metrics/metric-keys';
import type { LinePoint, LinesData } from './chart-data';
import { type ChartInput, metricOf } from './chart-input';

const STATS = [
  { stat: 'P50', label: 'p50' },
  { stat: 'P90', label: 'p90' },
  { stat: 'P95', label: 'p95' },
  { stat: 'P99', label: 'p99' },
] as const;

/** A latency's percentiles for each plan. A percentile with too few samples behind it is hollow, or a gap. */
export function percentileLines(run: ChartInput, family: LatencyFamily): LinesData {
  const series = run.arms.map((arm) => ({
    arm: arm.index,
    label: arm.label,
    isBaseline: arm.isBaseline,
    weight: 'solid' as const,
    points: STATS.map(({ stat }, x): LinePoint => {
      const value = metricOf(run, arm.index, `${family}${stat}`);
      const invalid = run.results.get(arm.index)?.trust.grade === 'invalid';
      return { x, y: value?.value ?? null, hollow: invalid || (value?.mark ?? null) !== null };
    }),
  }));
  return {
    kind: 'lines',
    empty: series.some((s) => s.points.some((p) => p.y !== null))
      ? null
      : 'Percentiles appear when the first trial has ended.',
    note: 'hollow: few samples; p95 needs 59 requests, p99 needs 299',
    x: {
      label: 'share of the requests',
      unit: '',
      domain: [0, STATS.length - 1],
      ticks: STATS.map(({ label }, value) => ({ value, label })),
    },
    edges: [],
    liveX: null,
    series: series.filter((s) => s.points.some((p) => p.y !== null)),
  };
}

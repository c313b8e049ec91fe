import { METRIC_INFO } from '@/server/core/metrics/metric-info';
import type { ExperimentSpec } from '@/server/core/run/experiment';
import type { ReportTrial } from '@/server/core/run/report-trial';

/** `2:07` for 127 seconds. */
export function clock(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** One line on a trial that ended: its arm, block and primary metrics, or why it has none. */
export function progressLine(spec: ExperimentSpec, trial: ReportTrial): string {
  const name = `block ${trial.block + 1}, ${spec.arms[trial.arm]?.label ?? `arm ${trial.arm}`}`;
  const { outcome } = trial;
  if (outcome === null) return `${name}: ${trial.state}`;
  if (outcome.state !== 'succeeded')
    return `${name}: ${outcome.state}: ${outcome.cause?.message ?? outcome.reasons[0] ?? ''}`;
  const figures = spec.primaryMetrics.map((metric) => {
    const value = outcome.points[0]?.metrics[metric];
    return `${METRIC_INFO[metric]?.label ?? metric} ${value?.value == null ? '–' : value.value.toFixed(1)}`;
  });
  return `${name}: ${figures.join(', ')}${outcome.valid ? '' : `; invalid: ${outcome.reasons[0] ?? 'reason unknown'}`}`;
}

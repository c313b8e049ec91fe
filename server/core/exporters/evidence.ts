import { z } from 'zod';
import { METRIC_INFO } from '../metrics/metric-info';
import { valueSchema } from '../metrics/value';
import type { Checkpoint } from '../plan/plan';

const builtFromSchema = z.object({
  engine: z.string(),
  runtime: z.string().nullable(),
  engineVersion: z.string(),
  /** Container image that ran; null for a process on the host. */
  image: z.string().nullable(),
  /** Device id of the plan and how many, e.g. `cpu-local` × 1. */
  device: z.string(),
  checkpoints: z.array(
    z.object({ scope: z.string(), repo: z.string(), revision: z.string().nullable(), format: z.string() }),
  ),
});

/** What a trial showed and what it ran on. */
export const evidenceSchema = builtFromSchema.extend({
  stamp: z.enum(['MEASURED', 'SIMULATED', 'EXTERNAL']),
  planHash: z.string(),
  /** ISO date of the run. */
  startedAt: z.string(),
  headlines: z.array(z.object({ metric: z.string(), workload: z.string(), value: valueSchema })),
  klDivergence: z.number().nullable(),
});
export type Evidence = z.infer<typeof evidenceSchema>;
/** What a manifest launches, in the terms by which evidence is admitted. */
export type Target = z.infer<typeof builtFromSchema> & { planHash: string };

export const deviceOf = (hardware: { id: string; count: number }): string => `${hardware.id} × ${hardware.count}`;

export const checkpointsOf = (checkpoints: readonly Checkpoint[]): Target['checkpoints'] =>
  checkpoints.map(({ scope, repo, revision, format }) => ({ scope, repo, revision, format }));

/** First thing in which a trial differs from the file; null if its numbers may stand there. */
export function mismatch(evidence: Evidence, target: Target): string | null {
  if (evidence.stamp !== 'MEASURED') return `the run is ${evidence.stamp}`;
  const fields = ['engine', 'runtime', 'engineVersion', 'image', 'device', 'planHash'] as const;
  const field = fields.find((name) => evidence[name] !== target[name]);
  if (field !== undefined) return `${field}: run ${evidence[field] ?? 'none'}, file ${target[field] ?? 'none'}`;
  const [ran, wanted] = [evidence.checkpoints, target.checkpoints].map((list) => JSON.stringify(list));
  return ran === wanted ? null : 'the run used other weights';
}

const figure = (value: number): string => String(Number(value.toPrecision(4)));

function headline({ metric, workload, value }: Evidence['headlines'][number]): string {
  const label = METRIC_INFO[metric]?.label ?? metric;
  if (value.value === null) return `${label} (${workload}): not measured`;
  const interval = value.low === null || value.high === null ? '' : ` [${figure(value.low)}, ${figure(value.high)}]`;
  const doubt = value.mark === null ? '' : `; ${value.mark}`;
  return `${label} (${workload}): ${figure(value.value)}${interval} ${value.unit}, n = ${value.n}${doubt}`;
}

/** Lines for the head of a file: the run's numbers, or that there are none for what the file launches. */
export function evidenceLines(evidence: Evidence | null, target: Target): string[] {
  const reason = evidence === null ? 'no run' : mismatch(evidence, target);
  if (evidence === null || reason !== null) {
    const why = evidence === null ? '' : ` (a run exists but does not count here: ${reason})`;
    return [`not measured on this engine and device; estimate: none yet${why}`];
  }
  return [
    `MEASURED ${evidence.startedAt} on ${target.device}, ${target.engine} ${target.engineVersion}`,
    ...evidence.headlines.map(headline),
    evidence.klDivergence === null
      ? 'quality not verified'
      : `KL divergence from the baseline: ${figure(evidence.klDivergence)} nats`,
  ];
}

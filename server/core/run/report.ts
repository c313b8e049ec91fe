import { z } from 'zod';
import { metricsSchema } from '../metrics/value';
import { loadSchema } from '../workload/workload';
import { effectiveRowSchema, hostSchema, qualitySchema, trialStateSchema } from './trial';

export const VERDICTS = ['faster', 'slower', 'better', 'worse', 'no significant difference', 'too noisy'] as const;

export const comparisonSchema = z.object({
  /** (variant − baseline) ÷ baseline, in percent, with its interval. */
  changePercent: z.number(),
  low: z.number().nullable(),
  high: z.number().nullable(),
  /** Null where the metric was not named as primary before the run, or with one block. */
  verdict: z.enum(VERDICTS).nullable(),
  /** How many more blocks would decide, for "too noisy". */
  moreBlocks: z.number().int().nullable(),
});
export type Comparison = z.infer<typeof comparisonSchema>;

export const trialReportSchema = z.object({
  state: trialStateSchema,
  block: z.number().int(),
  attempt: z.number().int(),
  superseded: z.boolean(),
  valid: z.boolean(),
  reasons: z.array(z.string()),
  metrics: metricsSchema,
  requests: z.number().int(),
  outcomes: z.record(z.string(), z.number().int()),
});

export const workloadReportSchema = z.object({
  workload: z.string(),
  role: z.enum(['target', 'guard']),
  load: loadSchema,
  windowS: z.number(),
  metrics: metricsSchema,
  prediction: z.unknown().nullable(),
  trust: z.object({ grade: z.enum(['A', 'B', 'C', 'invalid']), reasons: z.array(z.string()) }),
  capacity: z.object({ value: z.number(), kind: z.enum(['EDGE', 'FLOOR']) }).nullable(),
  comparison: z.record(z.string(), comparisonSchema),
  trials: z.array(trialReportSchema),
});

export const deploymentReportSchema = z.object({
  deployment: z.string(),
  label: z.string(),
  planHash: z.string(),
  isBaseline: z.boolean(),
  engine: z.string(),
  engineVersion: z.string(),
  device: z.string(),
  effective: z.array(effectiveRowSchema),
  quality: qualitySchema.nullable(),
  results: z.array(workloadReportSchema),
});
export type DeploymentReport = z.infer<typeof deploymentReportSchema>;
export type WorkloadReport = z.infer<typeof workloadReportSchema>;

/** What a run says, the same from the command line and the server (the contract in README, "Command line"). */
export const reportSchema = z.object({
  stamp: z.enum(['MEASURED', 'SIMULATED', 'EXTERNAL']),
  pipelineHash: z.string().nullable(),
  seed: z.number().int(),
  startedAt: z.string(),
  host: hostSchema.nullable(),
  /** One sentence for people. */
  sentence: z.string(),
  /** E.g. "the host was busy: 1-minute load 3.1 on 2 cores". */
  notes: z.array(z.string()),
  deployments: z.array(deploymentReportSchema),
  /** The one crown: best by the objective, significantly, within the quality budget; null if there is none. */
  best: z.object({ deployment: z.string(), metric: z.string(), reason: z.string() }).nullable(),
});
export type Report = z.infer<typeof reportSchema>;

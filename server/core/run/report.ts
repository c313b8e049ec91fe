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

/** Highest load whose attainment of the limits holds, over the levels of one loop kind (open and closed never mix). */
export const capacitySchema = z.object({
  value: z.number(),
  /** EDGE: a higher load fails. FLOOR: no load tried was too much. */
  kind: z.enum(['EDGE', 'FLOOR']),
  unit: z.enum(['requests/s', 'clients']).optional(),
  loadIndex: z.number().int().nonnegative().optional(),
  /** Attainment there, of the limit nearest to failing, with its 95 % Wilson interval. */
  attainment: z.object({ share: z.number(), low: z.number(), high: z.number(), n: z.number().int() }).optional(),
});
export type Capacity = z.infer<typeof capacitySchema>;

export const costReportSchema = z.object({
  basis: z.enum(['capacity', 'steady window', 'measured point', 'none']),
  /** In words: "at capacity, 8 requests/s (EDGE)", or why there is no figure. */
  where: z.string(),
  /** The cost metrics, as in `metrics`; empty where the basis is `none`. */
  metrics: metricsSchema,
});
export type CostReport = z.infer<typeof costReportSchema>;

/** Where a deployment stands on quality. `lossless`: nothing to evaluate, and nothing evaluated. */
export const QUALITY_STATES = ['baseline', 'lossless', 'verified', 'over-budget', 'not-verified'] as const;
export type QualityState = (typeof QUALITY_STATES)[number];

export const workloadReportSchema = z.object({
  workload: z.string(),
  role: z.enum(['target', 'guard']),
  load: loadSchema,
  windowS: z.number(),
  metrics: metricsSchema,
  prediction: z.unknown().nullable(),
  trust: z.object({ grade: z.enum(['A', 'B', 'C', 'invalid']), reasons: z.array(z.string()) }),
  capacity: capacitySchema.nullable(),
  /** Why there is no capacity where limits are set; null where there is one, or no limits. */
  capacityReason: z.string().nullable().optional(),
  /** What serving this workload costs, and where on the load axis; the level's own cost stays in `metrics`. */
  cost: costReportSchema.optional(),
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
  qualityState: z.enum(QUALITY_STATES).optional(),
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

import { z } from 'zod';
import { stampErrorSchema } from '../metrics/stamp-error';
import { metricsSchema } from '../metrics/value';
import { findingSchema } from '../plan/finding';
import { loadSchema, sloSchema } from '../workload/workload';

export const TRIAL_PHASES = ['preparing', 'starting', 'warming', 'measuring', 'evaluating', 'stopping'] as const;
export const TRIAL_STATES = ['queued', 'claimed', ...TRIAL_PHASES, 'succeeded', 'failed', 'cancelled', 'lost'] as const;
export const trialStateSchema = z.enum(TRIAL_STATES);
export type TrialState = z.infer<typeof trialStateSchema>;
export type TrialPhase = (typeof TRIAL_PHASES)[number];
export const isTerminal = (s: TrialState): boolean =>
  s === 'succeeded' || s === 'failed' || s === 'cancelled' || s === 'lost';

/** What the engine really applied against what a node asked, read from the engine's own log, endpoints or counters. */
export const effectiveRowSchema = z.object({
  nodeId: z.string().nullable(),
  setting: z.string(),
  asked: z.unknown(),
  got: z.unknown(),
  state: z.enum(['applied', 'changed', 'ignored', 'unverified']),
  /** Where it was read, e.g. "log: llama_kv_cache: K (q8_0)". */
  evidence: z.string().nullable(),
});
export type EffectiveRow = z.infer<typeof effectiveRowSchema>;

export const qualitySchema = z.object({
  perplexity: z.number().nullable(),
  klDivergence: z.number().nullable(),
  top1Agreement: z.number().nullable(),
  noiseFloor: z.number().nullable(),
  tokens: z.number().int().nonnegative(),
  /** Degenerate-output detector: reason, or null if the outputs look sane. */
  degenerate: z.string().nullable(),
});
export type Quality = z.infer<typeof qualitySchema>;

export const secondRowSchema = z.object({
  t: z.number(),
  outputTokens: z.number(),
  requestsFinished: z.number(),
  inFlight: z.number(),
  shed: z.number(),
  errors: z.number(),
  ttftMsP50: z.number().nullable(),
  ttftMsP99: z.number().nullable(),
  tpotMsP50: z.number().nullable(),
  tpotMsP99: z.number().nullable(),
  e2eMsP50: z.number().nullable(),
  acceptanceRate: z.number().nullable(),
  queueDepth: z.number().nullable(),
  kvCacheUsage: z.number().nullable(),
});

/** How many of the measured requests met one limit; each limit has a percentile of its own. */
export const attainmentSchema = sloSchema.extend({ good: z.number().int(), n: z.number().int() });
export type Attainment = z.infer<typeof attainmentSchema>;

/** One load level of one workload, measured once. */
export const pointSchema = z.object({
  workload: z.string(),
  role: z.enum(['target', 'guard']),
  load: loadSchema,
  windowS: z.number(),
  metrics: metricsSchema,
  valid: z.boolean(),
  /** Why it is not valid, or notes on checks that were skipped. */
  reasons: z.array(z.string()),
  saturated: z.boolean(),
  requests: z.number().int(),
  outcomes: z.record(z.string(), z.number().int()),
  /** Of the load client's stamps on that host at that load; absent or null where it was not measured. */
  stampError: stampErrorSchema.nullable().optional(),
  /** By limit; absent without limits. */
  attainment: z.array(attainmentSchema).optional(),
});
export type Point = z.infer<typeof pointSchema>;

export const causeSchema = z.object({
  code: z.string(),
  message: z.string(),
  nodeId: z.string().nullable(),
  field: z.string().nullable(),
  logTail: z.array(z.string()),
});

/** What a trial ends with. */
export const trialOutcomeSchema = z.object({
  state: z.enum(['succeeded', 'failed', 'cancelled']),
  valid: z.boolean(),
  reasons: z.array(z.string()),
  points: z.array(pointSchema),
  effective: z.array(effectiveRowSchema),
  quality: qualitySchema.nullable(),
  engineStartMs: z.number().nullable(),
  peakMemoryBytes: z.number().nullable(),
  findings: z.array(findingSchema),
  cause: causeSchema.nullable(),
  command: z.array(z.string()),
  stamp: z.enum(['MEASURED', 'SIMULATED', 'EXTERNAL']),
});
export type TrialOutcome = z.infer<typeof trialOutcomeSchema>;

export const hostSchema = z.object({
  /** Equal fingerprints: same CPU model, cores, memory, devices, driver and engine build. */
  fingerprint: z.string(),
  cpuModel: z.string(),
  cores: z.number().int(),
  memoryBytes: z.number(),
  devices: z.array(
    z.object({ id: z.string(), name: z.string(), memoryBytes: z.number(), driver: z.string().nullable() }),
  ),
  os: z.string(),
  /** Engine id → runtime → version, as found on the host. */
  engines: z.record(z.string(), z.record(z.string(), z.string())),
  /** Why its agent claims nothing at the moment, in a sentence; absent or null where it does. */
  pausedBecause: z.string().max(500).nullable().optional(),
});
export type Host = z.infer<typeof hostSchema>;

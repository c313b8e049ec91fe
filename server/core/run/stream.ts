import { z } from 'zod';
import { findingSchema } from '../plan/finding';
import {
  causeSchema,
  effectiveRowSchema,
  pointSchema,
  qualitySchema,
  secondRowSchema,
  trialStateSchema,
} from './trial';

export const EXPERIMENT_STATES = ['queued', 'running', 'succeeded', 'failed', 'cancelled'] as const;
export const experimentStateSchema = z.enum(EXPERIMENT_STATES);
export type ExperimentState = z.infer<typeof experimentStateSchema>;

/**
 * What an experiment's stream tells its readers. The first five are the agent's own bodies as they came
 * (request records go to the store, never to a browser); the others are written by the server in the
 * transaction that makes the change.
 */
export const streamBodySchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('phase'), phase: trialStateSchema, detail: z.string().nullable() }),
  z.object({ kind: z.literal('log'), lines: z.array(z.string()) }),
  z.object({ kind: z.literal('effective'), rows: z.array(effectiveRowSchema) }),
  z.object({ kind: z.literal('second'), workload: z.string(), loadIndex: z.number().int(), row: secondRowSchema }),
  z.object({ kind: z.literal('point'), point: pointSchema }),
  /** A trial came to be, was claimed, ended or was replaced. */
  z.object({
    kind: z.literal('trial'),
    arm: z.number().int().nonnegative(),
    block: z.number().int().nonnegative(),
    attempt: z.number().int().nonnegative(),
    state: trialStateSchema,
    superseded: z.boolean(),
    worker: z.string().nullable(),
  }),
  /** How a trial ended, without its points (they came as events). */
  z.object({
    kind: z.literal('outcome'),
    state: trialStateSchema,
    valid: z.boolean(),
    reasons: z.array(z.string()),
    effective: z.array(effectiveRowSchema),
    quality: qualitySchema.nullable(),
    findings: z.array(findingSchema),
    cause: causeSchema.nullable(),
  }),
  z.object({ kind: z.literal('experiment'), state: experimentStateSchema, detail: z.string().nullable() }),
]);
export type StreamBody = z.infer<typeof streamBodySchema>;

/** One event of an experiment's stream. `seq` grows by one without gaps, in commit order. */
export const streamEventSchema = z.object({
  seq: z.number().int().positive(),
  /** Server's UTC time, ISO 8601. */
  at: z.string(),
  /** Null for events of the experiment as a whole. */
  trialId: z.string().nullable(),
  body: streamBodySchema,
});
export type StreamEvent = z.infer<typeof streamEventSchema>;

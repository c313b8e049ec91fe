import { z } from 'zod';
import { experimentSpecSchema } from './experiment';
import {
  effectiveRowSchema,
  hostSchema,
  pointSchema,
  secondRowSchema,
  trialOutcomeSchema,
  trialStateSchema,
} from './trial';

/** Version of the worker API. The server accepts this and the previous one; an older agent drains and says why. */
export const PROTOCOL_VERSION = 1;
/** Limits of one append. */
export const MAX_BATCH_BYTES = 1024 * 1024;

/** What a trial tells while it runs. `agentSeq` grows by one from 1 within an attempt, across its trials. */
export const agentEventSchema = z.object({
  agentSeq: z.number().int().positive(),
  trialId: z.string(),
  /** Monotonic ms since the attempt was claimed; the server adds its own time. */
  atMs: z.number(),
  body: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('phase'), phase: trialStateSchema, detail: z.string().nullable() }),
    z.object({ kind: z.literal('log'), lines: z.array(z.string()) }),
    z.object({ kind: z.literal('effective'), rows: z.array(effectiveRowSchema) }),
    z.object({ kind: z.literal('second'), workload: z.string(), loadIndex: z.number().int(), row: secondRowSchema }),
    z.object({ kind: z.literal('point'), point: pointSchema }),
    /** Compressed columnar request records of one point, base64 (core/metrics/columns). */
    z.object({ kind: z.literal('records'), workload: z.string(), loadIndex: z.number().int(), blob: z.string() }),
  ]),
});
export type AgentEvent = z.infer<typeof agentEventSchema>;
export type AgentEventBody = AgentEvent['body'];

export const registerInput = z.object({
  protocolVersion: z.number().int(),
  name: z.string().min(1).max(100),
  agentVersion: z.string(),
  host: hostSchema,
});
export const registerOutput = z.object({ workerId: z.string(), leaseMs: z.number(), heartbeatMs: z.number() });

export const claimInput = z.object({ workerId: z.string() });
export const claimedBlockSchema = z.object({
  attemptId: z.string(),
  attempt: z.number().int().positive(),
  experimentId: z.string(),
  blockIndex: z.number().int().nonnegative(),
  spec: experimentSpecSchema,
  /** In the order to run, shuffled from the seed. `arm` is the index in spec.arms. */
  trials: z.array(z.object({ trialId: z.string(), arm: z.number().int().nonnegative() })),
  leaseMs: z.number(),
  /** Values of the secrets that the plans name; kept in the agent's memory only, never logged or spooled. */
  secrets: z.record(z.string(), z.string()),
});
export type ClaimedBlock = z.infer<typeof claimedBlockSchema>;
export const claimOutput = claimedBlockSchema.nullable();

export const heartbeatInput = z.object({ workerId: z.string(), attemptId: z.string() });
export const heartbeatOutput = z.object({ answer: z.enum(['go-on', 'cancel', 'lost']), leaseMs: z.number() });

export const appendInput = z.object({ workerId: z.string(), attemptId: z.string(), events: z.array(agentEventSchema) });
/** `lastAgentSeq`: highest gap-free sequence number that the server holds. */
export const appendOutput = z.object({ lastAgentSeq: z.number().int().nonnegative() });

/** `lastAgentSeq`: last event of this attempt so far. `digest`: SHA-256 hex over the canonical outcome. */
export const finishInput = z.object({
  workerId: z.string(),
  attemptId: z.string(),
  trialId: z.string(),
  lastAgentSeq: z.number().int().nonnegative(),
  digest: z.string(),
  outcome: trialOutcomeSchema,
});
/** `missingFrom`: the finish is refused until events from this number on are appended. */
export const finishOutput = z.object({ accepted: z.boolean(), missingFrom: z.number().int().nullable() });

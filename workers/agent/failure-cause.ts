import type { z } from 'zod';
import type { Engine } from '@/server/core/engines/engine';
import type { Plan } from '@/server/core/plan/plan';
import type { causeSchema } from '@/server/core/run/trial';
import { LaunchError } from '../drivers/launch-error';
import { MissingSecretError } from '../drivers/secrets';

export type Cause = z.infer<typeof causeSchema>;

/** Log lines that a cause carries. */
const TAIL_LINES = 60;

/** The engine's process ended while a trial needed it. */
export class EngineEndedError extends Error {
  constructor(readonly ended: { code: number | null; signal: string | null }) {
    super(
      ended.signal === null
        ? `the engine ended by itself with code ${ended.code}`
        : `the engine was ended by signal ${ended.signal}`,
    );
  }
}

/** Node and field that asked for a setting; nulls where nobody in the graph did. */
function placeOf(plan: Plan, setting: string | null): Pick<Cause, 'nodeId' | 'field'> {
  const resolved = setting === null ? undefined : plan.settings[setting];
  if (resolved === undefined || !plan.nodeIds.includes(resolved.origin)) return { nodeId: null, field: null };
  return { nodeId: resolved.origin, field: resolved.field };
}

/** First pattern of the engine's table that a log line matches, the latest line first: it is the closest to the end. */
function matchFailure(engine: Engine | null, plan: Plan, logTail: readonly string[]): Omit<Cause, 'logTail'> | null {
  if (engine === null) return null;
  for (const line of [...logTail].reverse()) {
    const failure = engine.failures.find((f) => f.pattern.test(line));
    if (failure !== undefined) {
      return { code: failure.code, message: failure.message, ...placeOf(plan, failure.setting) };
    }
  }
  return null;
}

/**
 * Why a trial failed. What the engine itself said, where its table of patterns knows the line, comes before what we
 * saw from outside; both keep the log's tail.
 * @param engine the engine's own file; null where nobody wrote one
 */
export function causeOfFailure(error: unknown, engine: Engine | null, plan: Plan, logTail: readonly string[]): Cause {
  const tail = (error instanceof LaunchError ? error.details.logTail : logTail).slice(-TAIL_LINES);
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof MissingSecretError) {
    return { code: 'missing-secret', message, ...placeOf(plan, 'apiKeySecret'), logTail: tail };
  }
  const isEngineFailure = error instanceof LaunchError || error instanceof EngineEndedError;
  const known = isEngineFailure ? matchFailure(engine, plan, tail) : null;
  if (known !== null) return { ...known, logTail: tail };
  if (error instanceof LaunchError) {
    const weights = error.code === 'prepare-failed' ? plan.checkpoints[0]?.nodeId : null;
    return { code: error.code, message, nodeId: weights ?? null, field: null, logTail: tail };
  }
  const code = error instanceof EngineEndedError ? 'engine-ended' : 'trial-failed';
  return { code, message, nodeId: null, field: null, logTail: tail };
}

import { initTRPC } from '@trpc/server';
import { z } from 'zod';
import * as protocol from '../../core/run/protocol';
import { AppError, isAppError } from '../../errors';
import { appendBatch } from '../../services/appends';
import { claimBlock } from '../../services/claims';
import { finishTrial } from '../../services/finishes';
import { heartbeat } from '../../services/leases';
import { registerWorker } from '../../services/worker-sessions';
import { toTrpcError } from '../translate-error';
import type { WorkerContext } from './context';
import { takeBatch } from './limits';

/** Plain JSON over POST, no transformer: the protocol's schemas hold nothing that JSON does not. */
const t = initTRPC.context<WorkerContext>().create({
  isServer: true,
  errorFormatter({ shape, error }) {
    const details = isAppError(error.cause) ? error.cause.details : {};
    return {
      ...shape,
      data: { code: shape.data.code, httpStatus: shape.data.httpStatus, path: shape.data.path, details },
    };
  },
});

/** Only a live worker token gets here; a person's key or cookie never does. */
const workerProcedure = t.procedure
  .use(async ({ next }) => {
    const result = await next();
    if (result.ok || result.error.code !== 'INTERNAL_SERVER_ERROR') return result;
    throw toTrpcError(result.error.cause ?? result.error);
  })
  .use(({ ctx, next }) => {
    if (!ctx.scope) {
      throw toTrpcError(new AppError('unauthorized', 'A live worker token is needed (Authorization: Bearer inf_w_…).'));
    }
    return next({ ctx: { ...ctx, scope: ctx.scope } });
  });

const attemptIds = { workerId: z.uuid(), attemptId: z.uuid() };
const eventInput = protocol.agentEventSchema.extend({ trialId: z.uuid() });

/**
 * What agents ask. Refusals carry `data.details.problem`: `lost` (the attempt is not yours any more), `protocol`
 * (versions differ), `register` (unknown worker), `too-many` with `retryAfterMs`, `too-large`.
 */
export const workerRouter = t.router({
  register: workerProcedure
    .input(protocol.registerInput)
    .output(protocol.registerOutput)
    .mutation(({ ctx, input }) => registerWorker(ctx.scope, input)),
  claim: workerProcedure
    .input(protocol.claimInput.extend({ workerId: z.uuid() }))
    .output(protocol.claimOutput)
    .mutation(({ ctx, input }) => claimBlock(ctx.scope, input.workerId)),
  heartbeat: workerProcedure
    .input(protocol.heartbeatInput.extend(attemptIds))
    .output(protocol.heartbeatOutput)
    .mutation(({ ctx, input }) => heartbeat(ctx.scope, input)),
  append: workerProcedure
    .input(protocol.appendInput.extend({ ...attemptIds, events: z.array(eventInput).max(10_000) }))
    .output(protocol.appendOutput)
    .mutation(async ({ ctx, input }) => {
      await takeBatch(input.attemptId, ctx.responseHeaders);
      return appendBatch(ctx.scope, input);
    }),
  finish: workerProcedure
    .input(protocol.finishInput.extend({ ...attemptIds, trialId: z.uuid() }))
    .output(protocol.finishOutput)
    .mutation(({ ctx, input }) => finishTrial(ctx.scope, input)),
});
/** Agents import this type and nothing else of the server. */
export type WorkerRouter = typeof workerRouter;

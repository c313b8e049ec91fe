import { initTRPC } from '@trpc/server';
import superjson from 'superjson';
import { z } from 'zod';
import { AppError, isAppError } from '../errors';
import { teamScope } from '../services/scope';
import type { ApiContext } from './context';
import { describeInput, toTrpcError } from './translate-error';

const t = initTRPC.context<ApiContext>().create({
  transformer: superjson,
  isServer: true,
  sse: { ping: { enabled: true, intervalMs: 10_000 }, client: { reconnectAfterInactivityMs: 30_000 } },
  errorFormatter({ shape, error }) {
    const cause = error.cause;
    return {
      ...shape,
      message: cause instanceof z.ZodError ? describeInput(cause) : shape.message,
      data: {
        code: shape.data.code,
        httpStatus: shape.data.httpStatus,
        path: shape.data.path,
        details: isAppError(cause) ? cause.details : {},
      },
    };
  },
});

/** Refusals and bugs of everything below, translated once. */
const translated = t.procedure.use(async ({ next }) => {
  const result = await next();
  if (result.ok || result.error.code !== 'INTERNAL_SERVER_ERROR') return result;
  throw toTrpcError(result.error.cause ?? result.error);
});

const RANK = { viewer: 0, editor: 1, owner: 2 } as const;
export type Role = keyof typeof RANK;

const withRole = (least: Role) =>
  translated.use(({ ctx, next }) => {
    const { caller } = ctx;
    if (!caller) throw toTrpcError(new AppError('unauthorized', 'Sign in first.'));
    if (RANK[caller.role] < RANK[least]) {
      throw toTrpcError(new AppError('forbidden', `This needs the role ${least}; yours is ${caller.role}.`));
    }
    return next({ ctx: { caller, scope: teamScope(caller.team.id, caller.actor) } });
  });

export const router = t.router;
export const createCaller = t.createCallerFactory;
export const viewerProcedure = withRole('viewer');
export const editorProcedure = withRole('editor');
export const ownerProcedure = withRole('owner');

export const idInput = z.object({ id: z.uuid() });
export const pageInput = z.object({
  cursor: z.string().max(200).optional(),
  limit: z.number().int().min(1).max(100).default(50),
});

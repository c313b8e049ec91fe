import { z } from 'zod';
import { createToken, listTokens, revokeToken } from '../../services/tokens';
import { listWorkers, revokeWorker } from '../../services/workers';
import { idInput, ownerProcedure, router, viewerProcedure } from '../trpc';

const createInput = z.object({
  name: z.string().trim().min(1).max(100),
  expiresInDays: z.number().int().min(1).max(3650).nullable().default(null),
});

export const workersRouter = router({
  list: viewerProcedure.query(({ ctx }) => listWorkers(ctx.scope)),
  tokens: ownerProcedure.query(({ ctx }) => listTokens(ctx.scope, 'worker')),
  /** The token itself is in this answer and in no later one. */
  createToken: ownerProcedure
    .input(createInput)
    .mutation(({ ctx, input }) => createToken(ctx.scope, { kind: 'worker', role: null, ...input })),
  /** Also of a token that no worker has used yet; `id` is the token's. */
  revokeToken: ownerProcedure.input(idInput).mutation(({ ctx, input }) => revokeToken(ctx.scope, input.id, 'worker')),
  /** Ends the token that this worker came with. */
  revoke: ownerProcedure.input(idInput).mutation(({ ctx, input }) => revokeWorker(ctx.scope, input.id)),
});

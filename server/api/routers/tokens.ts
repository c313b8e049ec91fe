import { z } from 'zod';
import { createToken, listTokens, revokeToken } from '../../services/tokens';
import { idInput, ownerProcedure, router } from '../trpc';

const createInput = z.object({
  name: z.string().trim().min(1).max(100),
  role: z.enum(['owner', 'editor', 'viewer']).default('editor'),
  expiresInDays: z.number().int().min(1).max(3650).nullable().default(90),
});

/** API keys of people and scripts. */
export const tokensRouter = router({
  list: ownerProcedure.query(({ ctx }) => listTokens(ctx.scope, 'api_key')),
  /** The key itself is in this answer and in no later one. */
  create: ownerProcedure
    .input(createInput)
    .mutation(({ ctx, input }) => createToken(ctx.scope, { kind: 'api_key', ...input })),
  revoke: ownerProcedure.input(idInput).mutation(({ ctx, input }) => revokeToken(ctx.scope, input.id, 'api_key')),
});

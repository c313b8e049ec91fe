import { z } from 'zod';
import { listSecrets, removeSecret, setSecret } from '../../services/secrets';
import { editorProcedure, idInput, router, viewerProcedure } from '../trpc';

const setInput = z.object({
  name: z
    .string()
    .regex(/^INFERLOOM_SECRET_[A-Z0-9_]+$/)
    .max(100),
  value: z.string().min(1).max(10_000),
});

/** Names only go out; values reach agents in claims. */
export const secretsRouter = router({
  list: viewerProcedure.query(({ ctx }) => listSecrets(ctx.scope)),
  set: editorProcedure.input(setInput).mutation(({ ctx, input }) => setSecret(ctx.scope, input)),
  remove: editorProcedure.input(idInput).mutation(({ ctx, input }) => removeSecret(ctx.scope, input.id)),
});

import { signOut } from '../../auth/session';
import { router, viewerProcedure } from '../trpc';

export const sessionRouter = router({
  /** Ends this session and clears its cookie. An API key has none. */
  signOut: viewerProcedure.mutation(async ({ ctx }) => {
    const cookies = await signOut(ctx.headers);
    for (const cookie of cookies) ctx.responseHeaders.append('set-cookie', cookie);
  }),
});

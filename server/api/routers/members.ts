import { listMembers } from '../../services/members';
import { router, viewerProcedure } from '../trpc';

export const membersRouter = router({
  list: viewerProcedure.query(({ ctx }) => listMembers(ctx.scope)),
});

import { listMemberships } from '../../services/members';
import { router, viewerProcedure } from '../trpc';

export const meRouter = router({
  /** Who calls, in which team, with which role. */
  get: viewerProcedure.query(async ({ ctx }) => {
    const { user, team, role, actor } = ctx.caller;
    return {
      user: user ?? { id: actor.id ?? '', name: actor.name, email: '' },
      team,
      role,
      teams: user ? await listMemberships(user.id) : [{ team, role }],
    };
  }),
});

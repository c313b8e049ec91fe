import { z } from 'zod';
import { inviteMember, listInvitations, withdrawInvitation } from '../../services/invitations';
import { changeRole, listMembers, removeMember } from '../../services/members';
import { createResetLink } from '../../services/password-resets';
import { idInput, ownerProcedure, router, viewerProcedure } from '../trpc';

const role = z.enum(['owner', 'editor', 'viewer']);
/** Ids of people are better-auth's, no UUIDs. */
const personInput = z.object({ userId: z.string().min(1).max(100) });

export const membersRouter = router({
  list: viewerProcedure.query(({ ctx }) => listMembers(ctx.scope)),
  invitations: ownerProcedure.query(({ ctx }) => listInvitations(ctx.scope)),
  /** The link is in this answer and in no later one; so is that of `resetLink`. */
  invite: ownerProcedure.input(z.object({ role })).mutation(({ ctx, input }) => inviteMember(ctx.scope, input)),
  withdraw: ownerProcedure.input(idInput).mutation(({ ctx, input }) => withdrawInvitation(ctx.scope, input.id)),
  changeRole: ownerProcedure
    .input(personInput.extend({ role }))
    .mutation(({ ctx, input }) => changeRole(ctx.scope, input)),
  remove: ownerProcedure.input(personInput).mutation(({ ctx, input }) => removeMember(ctx.scope, input.userId)),
  resetLink: ownerProcedure.input(personInput).mutation(({ ctx, input }) => createResetLink(ctx.scope, input.userId)),
});

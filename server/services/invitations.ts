import { AppError } from '../errors';
import type { Role } from './members';
import { notifyTeam } from './nudges';
import { findLink, makeLink, type NewLink, spendLink } from './one-time-links';
import { type Scope, teamScope, writeAudit } from './scope';

const INVITATION_MS = 7 * 24 * 3600 * 1000;

export interface InvitationView {
  id: string;
  role: Role;
  createdAt: Date;
  expiresAt: Date;
}

/** Invitations that may still be taken up, the newest first. */
export async function listInvitations(scope: Scope): Promise<InvitationView[]> {
  const rows = await scope.db.oneTimeLink.findMany({
    where: { kind: 'invitation', spentAt: null, expiresAt: { gt: new Date() } },
    orderBy: { id: 'desc' },
    take: 200,
  });
  return rows.flatMap(({ id, role, createdAt, expiresAt }) => (role ? [{ id, role, createdAt, expiresAt }] : []));
}

/** A link for one person to join with this role, good for a week. */
export async function inviteMember(scope: Scope, input: { role: Role }): Promise<NewLink> {
  return scope.db.$transaction(async (tx) => {
    const link = await makeLink(tx, {
      kind: 'invitation',
      teamId: scope.teamId,
      role: input.role,
      lastsMs: INVITATION_MS,
    });
    await writeAudit(tx, scope, {
      action: 'invitation.create',
      subjectKind: 'invitation',
      subjectId: link.id,
      detail: { role: input.role },
    });
    await notifyTeam(tx, scope.teamId, 'members', null);
    return link;
  });
}

export async function withdrawInvitation(scope: Scope, id: string): Promise<void> {
  await scope.db.$transaction(async (tx) => {
    const { count } = await tx.oneTimeLink.deleteMany({ where: { id, kind: 'invitation', spentAt: null } });
    if (count === 0) throw new AppError('not-found', 'No such invitation, or it was taken up already.');
    await writeAudit(tx, scope, { action: 'invitation.withdraw', subjectKind: 'invitation', subjectId: id });
    await notifyTeam(tx, scope.teamId, 'members', null);
  });
}

export interface JoinInput {
  token: string;
  email: string;
  name: string;
  password: string;
}

/**
 * Spends an invitation: `claimUser` makes the account, or recognizes the one that this e-mail has by its password.
 * @throws AppError `not-found` for a link that is unknown, spent or over; `conflict` for who is in the team already.
 */
export async function spendInvitation(
  input: JoinInput,
  claimUser: (input: JoinInput) => Promise<{ id: string; name: string }>,
): Promise<void> {
  const link = await findLink('invitation', input.token, 'Ask an owner of the team for a new one.');
  const { role } = link;
  if (!role) throw new Error(`The invitation ${link.id} has no role.`);
  await spendLink(link, async () => {
    const user = await claimUser(input);
    const scope = teamScope(link.teamId, { kind: 'user', ...user });
    await scope.db.$transaction(async (tx) => {
      if (await tx.member.findFirst({ where: { userId: user.id } }))
        throw new AppError('conflict', 'You are in this team already: sign in.');
      await tx.member.create({ data: { teamId: scope.teamId, userId: user.id, role } });
      await writeAudit(tx, scope, {
        action: 'member.join',
        subjectKind: 'user',
        subjectId: user.id,
        detail: { name: user.name, role, invitation: link.id },
      });
      await notifyTeam(tx, scope.teamId, 'members', null);
    });
  });
}

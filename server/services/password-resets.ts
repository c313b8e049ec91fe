import { systemDb } from '../db/client';
import { AppError } from '../errors';
import { findLink, makeLink, type NewLink, spendLink } from './one-time-links';
import { type Scope, teamScope, writeAudit } from './scope';

const RESET_MS = 24 * 3600 * 1000;

/**
 * A link to choose a new password, good for a day; an earlier one for the same person ends. Only for people of this
 * team alone: whoever has the link has the account, and another team's roles are not this owner's to give.
 * @throws AppError `not-found`, `forbidden`
 */
export async function createResetLink(scope: Scope, userId: string): Promise<NewLink> {
  return scope.db.$transaction(async (tx) => {
    const member = await tx.member.findFirst({ where: { userId }, include: { user: { select: { name: true } } } });
    if (!member) throw new AppError('not-found', 'No such member.');
    const teams = await systemDb().member.count({ where: { userId } });
    if (teams > 1) {
      throw new AppError(
        'forbidden',
        `${member.user.name} is in another team too: no owner of one may reset the password.`,
      );
    }
    await tx.oneTimeLink.deleteMany({ where: { kind: 'password_reset', userId, spentAt: null } });
    const link = await makeLink(tx, { kind: 'password_reset', teamId: scope.teamId, userId, lastsMs: RESET_MS });
    await writeAudit(tx, scope, {
      action: 'password.link',
      subjectKind: 'user',
      subjectId: userId,
      detail: { name: member.user.name },
    });
    return link;
  });
}

/**
 * Spends a reset link. `setPassword` also ends the sessions of that person.
 * @throws AppError `not-found` for a link that is unknown, spent or over, or whose person has left the team.
 */
export async function spendResetLink(
  input: { token: string; password: string },
  setPassword: (userId: string, password: string) => Promise<void>,
): Promise<void> {
  const remedy = 'Ask an owner of your team for a new one.';
  const link = await findLink('password_reset', input.token, remedy);
  const { userId, teamId } = link;
  const memberships = userId
    ? await systemDb().member.findMany({ where: { userId }, include: { user: { select: { name: true } } } })
    : [];
  const member = memberships.find((m) => m.teamId === teamId);
  if (!member || memberships.length > 1) throw new AppError('not-found', `This link has ended. ${remedy}`);
  await spendLink(link, () => setPassword(member.userId, input.password));
  const scope = teamScope(teamId, { kind: 'user', id: member.userId, name: member.user.name });
  await scope.db.$transaction((tx) =>
    writeAudit(tx, scope, { action: 'password.reset', subjectKind: 'user', subjectId: member.userId }),
  );
}

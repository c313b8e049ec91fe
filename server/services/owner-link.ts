import { systemDb } from '../db/client';
import { teamDb } from '../db/team-db';
import { AppError } from '../errors';
import { findLink, makeLink, spendLink } from './one-time-links';
import { teamScope, writeAudit } from './scope';

const LINK_MS = 24 * 3600 * 1000;
const FIRST_TEAM = 'My team';

/** The team of a fresh installation; made on first use. */
export async function ensureTeam(): Promise<{ id: string; name: string }> {
  const db = systemDb();
  return db.$transaction(async (tx) => {
    // Two processes that start together make one team.
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtext('inferloom first team'))`;
    const team = await tx.team.findFirst({ orderBy: { id: 'asc' } });
    return team ?? tx.team.create({ data: { name: FIRST_TEAM } });
  });
}

/** A new one-time link for the first owner, or null once there is one. Earlier unspent links end. */
export async function createOwnerLink(): Promise<{ path: string; expiresAt: Date } | null> {
  const team = await ensureTeam();
  if ((await systemDb().member.count({ where: { teamId: team.id, role: 'owner' } })) > 0) return null;
  return teamDb(team.id).$transaction(async (tx) => {
    await tx.oneTimeLink.deleteMany({ where: { kind: 'owner', spentAt: null } });
    const { path, expiresAt } = await makeLink(tx, { kind: 'owner', teamId: team.id, role: 'owner', lastsMs: LINK_MS });
    return { path, expiresAt };
  });
}

/**
 * Spends the link: marks it first (compare-and-set), so that two tries at once make one owner, then makes the user.
 * @throws AppError `not-found` for a link that is unknown, spent or over; `conflict` for an e-mail in use.
 */
export async function spendOwnerLink(
  input: { token: string; email: string; name: string; password: string },
  createUser: (user: { email: string; name: string; password: string }) => Promise<string>,
): Promise<void> {
  const link = await findLink('owner', input.token, 'Print a new one: npx inferloom owner-link');
  if (await systemDb().user.findUnique({ where: { email: input.email.toLowerCase() } })) {
    throw new AppError('conflict', 'This e-mail address has an account already.');
  }
  const userId = await spendLink(link, () => createUser(input));
  const scope = teamScope(link.teamId, { kind: 'user', id: userId, name: input.name });
  await scope.db.$transaction(async (tx) => {
    await tx.member.create({ data: { teamId: scope.teamId, userId, role: 'owner' } });
    await writeAudit(tx, scope, {
      action: 'team.owner',
      subjectKind: 'user',
      subjectId: userId,
      detail: { link: link.id },
    });
  });
}

import { systemDb } from '../db/client';
import { AppError } from '../errors';
import { teamScope, writeAudit } from './scope';
import { hashToken, newLinkSecret } from './token-secret';

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
  const db = systemDb();
  if ((await db.member.count({ where: { teamId: team.id, role: 'owner' } })) > 0) return null;
  const secret = newLinkSecret();
  const expiresAt = new Date(Date.now() + LINK_MS);
  await db.$transaction([
    db.oneTimeLink.deleteMany({ where: { kind: 'owner', teamId: team.id, spentAt: null } }),
    db.oneTimeLink.create({
      data: { kind: 'owner', tokenHash: hashToken(secret), teamId: team.id, role: 'owner', expiresAt },
    }),
  ]);
  return { path: `/welcome/${secret}`, expiresAt };
}

/**
 * Spends the link: marks it first (compare-and-set), so that two tries at once make one owner, then makes the user.
 * @throws AppError `not-found` for a link that is unknown, spent or over; `conflict` for an e-mail in use.
 */
export async function spendOwnerLink(
  input: { token: string; email: string; name: string; password: string },
  createUser: (user: { email: string; name: string; password: string }) => Promise<string>,
): Promise<void> {
  const db = systemDb();
  const tokenHash = hashToken(input.token);
  const now = new Date();
  const link = await db.oneTimeLink.findFirst({
    where: { kind: 'owner', tokenHash, spentAt: null, expiresAt: { gt: now } },
  });
  if (!link?.teamId)
    throw new AppError(
      'not-found',
      'This link was used, has expired or never was. Print a new one: npx inferloom owner-link',
    );
  if (await db.user.findUnique({ where: { email: input.email.toLowerCase() } })) {
    throw new AppError('conflict', 'This e-mail address has an account already.');
  }
  const { count } = await db.oneTimeLink.updateMany({ where: { id: link.id, spentAt: null }, data: { spentAt: now } });
  if (count === 0) throw new AppError('not-found', 'This link was used a moment ago.');
  let userId: string;
  try {
    userId = await createUser(input);
  } catch (error) {
    await db.oneTimeLink.update({ where: { id: link.id }, data: { spentAt: null } });
    throw error;
  }
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

import { systemDb } from '../db/client';
import type { LinkKind, Role } from '../db/generated/enums';
import type { TeamTx } from '../db/team-db';
import { AppError } from '../errors';
import { hashToken, newLinkSecret } from './token-secret';

/** A link that was made just now: the only answer that holds its secret part. */
export interface NewLink {
  id: string;
  /** Path on this server; the secret is its last segment. */
  path: string;
  expiresAt: Date;
}

/** A link that may still be spent. */
export interface OpenLink {
  id: string;
  teamId: string;
  role: Role | null;
  userId: string | null;
}

const PATHS: Readonly<Record<LinkKind, string>> = { owner: '/welcome', invitation: '/join', password_reset: '/reset' };

interface LinkFacts {
  kind: LinkKind;
  teamId: string;
  role?: Role;
  userId?: string;
  lastsMs: number;
}

/** Stores the hash of a new secret. The secret itself is in the answer and nowhere else. */
export async function makeLink(tx: TeamTx, facts: LinkFacts): Promise<NewLink> {
  const { kind, teamId, role, userId, lastsMs } = facts;
  const secret = newLinkSecret();
  const row = await tx.oneTimeLink.create({
    data: {
      kind,
      teamId,
      tokenHash: hashToken(secret),
      expiresAt: new Date(Date.now() + lastsMs),
      ...(role === undefined ? {} : { role }),
      ...(userId === undefined ? {} : { userId }),
    },
  });
  return { id: row.id, path: `${PATHS[kind]}/${secret}`, expiresAt: row.expiresAt };
}

/**
 * The link behind a secret.
 * @throws AppError `not-found` for one that is unknown, spent or over; `remedy` says where a new one comes from.
 */
export async function findLink(kind: LinkKind, token: string, remedy: string): Promise<OpenLink> {
  const link = await systemDb().oneTimeLink.findFirst({
    where: { kind, tokenHash: hashToken(token), spentAt: null, expiresAt: { gt: new Date() } },
  });
  if (!link?.teamId) throw new AppError('not-found', `This link was used, has expired or never was. ${remedy}`);
  return { id: link.id, teamId: link.teamId, role: link.role, userId: link.userId };
}

/**
 * Marks the link as spent first (compare-and-set), so that two tries at once do the work once. Work that fails leaves
 * the link as it was.
 * @throws AppError `not-found` when it was spent or withdrawn meanwhile.
 */
export async function spendLink<T>(link: OpenLink, work: () => Promise<T>): Promise<T> {
  const db = systemDb();
  const { count } = await db.oneTimeLink.updateMany({
    where: { id: link.id, spentAt: null },
    data: { spentAt: new Date() },
  });
  if (count === 0) throw new AppError('not-found', 'This link was used a moment ago.');
  try {
    return await work();
  } catch (error) {
    await db.oneTimeLink.updateMany({ where: { id: link.id }, data: { spentAt: null } });
    throw error;
  }
}

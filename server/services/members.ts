import { systemDb } from '../db/client';
import { lockOwners } from '../db/sql/lock-owners';
import type { TeamTx } from '../db/team-db';
import { AppError } from '../errors';
import { notifyTeam } from './nudges';
import { type Scope, writeAudit } from './scope';

export type Role = 'owner' | 'editor' | 'viewer';

export interface MemberView {
  userId: string;
  name: string;
  email: string;
  role: Role;
  joinedAt: Date;
}

export interface Membership {
  team: { id: string; name: string };
  role: Role;
}

export async function listMembers(scope: Scope): Promise<MemberView[]> {
  const rows = await scope.db.member.findMany({
    orderBy: [{ createdAt: 'asc' }, { userId: 'asc' }],
    include: { user: { select: { name: true, email: true } } },
  });
  return rows.map((row) => ({
    userId: row.userId,
    name: row.user.name,
    email: row.user.email,
    role: row.role,
    joinedAt: row.createdAt,
  }));
}

/** Teams of a person, the one joined first in front. */
export async function listMemberships(userId: string): Promise<Membership[]> {
  const rows = await systemDb().member.findMany({
    where: { userId },
    orderBy: [{ createdAt: 'asc' }, { teamId: 'asc' }],
    include: { team: { select: { id: true, name: true } } },
  });
  return rows.map((row) => ({ team: row.team, role: row.role }));
}

/** The member to change, with the team's owners locked. The last owner stays one. */
async function lockMember(tx: TeamTx, scope: Scope, userId: string) {
  const owners = await lockOwners(tx, scope.teamId);
  const member = await tx.member.findFirst({ where: { userId }, include: { user: { select: { name: true } } } });
  if (!member) throw new AppError('not-found', 'No such member.');
  const isLastOwner = owners.length === 1 && owners[0] === userId;
  return { role: member.role, name: member.user.name, isLastOwner };
}

const LAST_OWNER = 'A team needs an owner. Make someone else an owner first.';

/** @throws AppError `not-found`; `conflict` where the team would have no owner left. */
export async function changeRole(scope: Scope, input: { userId: string; role: Role }): Promise<void> {
  const { userId, role } = input;
  await scope.db.$transaction(async (tx) => {
    const member = await lockMember(tx, scope, userId);
    if (member.role === role) return;
    if (member.isLastOwner) throw new AppError('conflict', LAST_OWNER);
    await tx.member.updateMany({ where: { userId }, data: { role } });
    await writeAudit(tx, scope, {
      action: 'member.role',
      subjectKind: 'user',
      subjectId: userId,
      detail: { name: member.name, from: member.role, to: role },
    });
    await notifyTeam(tx, scope.teamId, 'members', null);
  });
}

/**
 * Takes effect at the next request of that person. Their account stays: an invitation lets them in again.
 * @throws AppError `not-found`; `conflict` where the team would have no owner left.
 */
export async function removeMember(scope: Scope, userId: string): Promise<void> {
  await scope.db.$transaction(async (tx) => {
    const member = await lockMember(tx, scope, userId);
    if (member.isLastOwner) throw new AppError('conflict', LAST_OWNER);
    await tx.member.deleteMany({ where: { userId } });
    await tx.oneTimeLink.deleteMany({ where: { kind: 'password_reset', userId, spentAt: null } });
    await writeAudit(tx, scope, {
      action: 'member.remove',
      subjectKind: 'user',
      subjectId: userId,
      detail: { name: member.name, role: member.role },
    });
    await notifyTeam(tx, scope.teamId, 'members', null);
  });
}

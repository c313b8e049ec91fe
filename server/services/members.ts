import { systemDb } from '../db/client';
import type { Scope } from './scope';

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

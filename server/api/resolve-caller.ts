import { readSession } from '../auth/session';
import { AppError } from '../errors';
import { listMemberships } from '../services/members';
import { findBearer } from '../services/tokens';
import type { Caller } from './context';

const TEAM_HEADER = 'x-inferloom-team';

/** The token of an Authorization header, null without one. */
export function bearerOf(headers: Headers): string | null {
  const header = headers.get('authorization');
  if (header === null) return null;
  const token = /^Bearer\s+(\S+)$/i.exec(header)?.[1];
  if (!token) throw new AppError('unauthorized', 'Authorization takes the form "Bearer <key>".');
  return token;
}

/** Who calls: a bearer request never reads cookies; a worker's token is nobody here. */
export async function resolveCaller(headers: Headers): Promise<Caller | null> {
  const bearer = bearerOf(headers);
  if (bearer !== null) {
    const key = await findBearer(bearer, 'api_key');
    if (!key?.role) throw new AppError('unauthorized', 'This API key is unknown, expired or revoked.');
    return {
      actor: { kind: 'api_key', id: key.id, name: `${key.name} (${key.prefix}…)` },
      role: key.role,
      team: { id: key.team.id, name: key.team.name },
      user: null,
    };
  }
  const user = await readSession(headers);
  if (!user) return null;
  const memberships = await listMemberships(user.id);
  const asked = headers.get(TEAM_HEADER);
  const membership = asked === null ? memberships[0] : memberships.find((m) => m.team.id === asked);
  if (!membership) {
    if (asked !== null) throw new AppError('forbidden', 'You are not a member of that team.');
    return null;
  }
  return { actor: { kind: 'user', id: user.id, name: user.name }, ...membership, user };
}

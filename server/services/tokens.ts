import { systemDb } from '../db/client';
import type { Token } from '../db/generated/client';
import { touchToken } from '../db/sql/touch-token';
import { AppError } from '../errors';
import { notifyTeam } from './nudges';
import { type Scope, teamScope, writeAudit } from './scope';
import { hashToken, newToken } from './token-secret';

export interface TokenView {
  id: string;
  kind: 'api_key' | 'worker';
  name: string;
  prefix: string;
  role: 'owner' | 'editor' | 'viewer' | null;
  createdBy: string | null;
  createdAt: Date;
  expiresAt: Date | null;
  revokedAt: Date | null;
  lastUsedAt: Date | null;
}
/** The only answer that holds the token itself. */
export interface NewToken extends TokenView {
  token: string;
}

const DAY_MS = 86_400_000;
const EMBEDDED_WORKER = 'embedded';

const toView = (row: Token): TokenView => ({
  id: row.id,
  kind: row.kind,
  name: row.name,
  prefix: row.prefix,
  role: row.role,
  createdBy: row.createdBy,
  createdAt: row.createdAt,
  expiresAt: row.expiresAt,
  revokedAt: row.revokedAt,
  lastUsedAt: row.lastUsedAt,
});

export async function listTokens(scope: Scope, kind: 'api_key' | 'worker'): Promise<TokenView[]> {
  const rows = await scope.db.token.findMany({ where: { kind }, orderBy: { id: 'desc' }, take: 200 });
  return rows.map(toView);
}

export interface NewTokenInput {
  kind: 'api_key' | 'worker';
  name: string;
  /** Role of an API key; null for workers. */
  role: 'owner' | 'editor' | 'viewer' | null;
  expiresInDays: number | null;
}

export async function createToken(scope: Scope, input: NewTokenInput): Promise<NewToken> {
  const { token, prefix, hash } = newToken(input.kind);
  const row = await scope.db.$transaction(async (tx) => {
    const made = await tx.token.create({
      data: {
        teamId: scope.teamId,
        kind: input.kind,
        name: input.name,
        prefix,
        hash,
        role: input.kind === 'worker' ? null : input.role,
        scopes: [input.kind === 'worker' ? 'worker' : 'api'],
        expiresAt: input.expiresInDays === null ? null : new Date(Date.now() + input.expiresInDays * DAY_MS),
        createdBy: scope.actor.name,
      },
    });
    await writeAudit(tx, scope, {
      action: 'token.create',
      subjectKind: 'token',
      subjectId: made.id,
      detail: { kind: input.kind, name: input.name, prefix },
    });
    await notifyTeam(tx, scope.teamId, 'tokens', made.id);
    return made;
  });
  return { ...toView(row), token };
}

/** Takes effect at the next request of its bearer. Revoking twice is no error. */
export async function revokeToken(scope: Scope, id: string, kind: 'api_key' | 'worker'): Promise<void> {
  await scope.db.$transaction(async (tx) => {
    const row = await tx.token.findFirst({ where: { id, kind } });
    if (!row) throw new AppError('not-found', 'No such token.');
    if (row.revokedAt) return;
    await tx.token.update({ where: { id }, data: { revokedAt: new Date() } });
    await writeAudit(tx, scope, { action: 'token.revoke', subjectKind: 'token', subjectId: id });
    await notifyTeam(tx, scope.teamId, kind === 'worker' ? 'workers' : 'tokens', id);
  });
}

/** The live token behind a bearer, or null. Notes its use. */
export async function findBearer(token: string, kind: 'api_key' | 'worker') {
  const db = systemDb();
  const row = await db.token.findUnique({ where: { hash: hashToken(token) }, include: { team: true } });
  if (!row || row.kind !== kind || row.revokedAt || (row.expiresAt && row.expiresAt <= new Date())) return null;
  await touchToken(db, row.teamId, row.id);
  return row;
}

/** Makes the embedded worker's token afresh at each start; the one of the last start ends. */
export async function ensureEmbeddedWorkerToken(teamId: string): Promise<string> {
  const scope = teamScope(teamId, { kind: 'system', id: null, name: 'bootstrap' });
  const old = await scope.db.token.findFirst({
    where: { kind: 'worker', name: EMBEDDED_WORKER, createdBy: 'bootstrap', revokedAt: null },
    orderBy: { id: 'asc' },
  });
  if (!old) {
    const made = await createToken(scope, { kind: 'worker', name: EMBEDDED_WORKER, role: null, expiresInDays: null });
    return made.token;
  }
  // The same row gets a new secret: the worker's identity (token and name) and its history stay.
  const { token, prefix, hash } = newToken('worker');
  await scope.db.token.update({ where: { id: old.id }, data: { hash, prefix } });
  return token;
}

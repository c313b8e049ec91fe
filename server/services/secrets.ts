import type { Plan } from '../core/plan/plan';
import type { TeamTx } from '../db/team-db';
import { AppError } from '../errors';
import { seal, unseal } from './keys';
import { notifyTeam } from './nudges';
import { type Scope, writeAudit } from './scope';

export interface SecretView {
  id: string;
  name: string;
  createdBy: string | null;
  createdAt: Date;
  updatedAt: Date;
}

const NAME = /INFERLOOM_SECRET_[A-Z0-9_]+/g;
const contextOf = (teamId: string, name: string): string => `${teamId}/${name}`;

/** Names only: a value leaves the server in a claim and nowhere else. */
export async function listSecrets(scope: Scope): Promise<SecretView[]> {
  return scope.db.secret.findMany({
    orderBy: { name: 'asc' },
    select: { id: true, name: true, createdBy: true, createdAt: true, updatedAt: true },
  });
}

/** Stores a value under its name, in place of an earlier one. */
export async function setSecret(scope: Scope, input: { name: string; value: string }): Promise<{ id: string }> {
  return scope.db.$transaction((tx) => writeSecret(tx, scope, input));
}

export async function writeSecret(
  tx: TeamTx,
  scope: Scope,
  input: { name: string; value: string },
): Promise<{ id: string }> {
  const { teamId } = scope;
  const sealed = seal(input.value, contextOf(teamId, input.name));
  const row = await tx.secret.upsert({
    where: { teamId_name: { teamId, name: input.name } },
    create: { teamId, name: input.name, sealed, createdBy: scope.actor.name },
    update: { sealed },
  });
  await writeAudit(tx, scope, {
    action: 'secret.set',
    subjectKind: 'secret',
    subjectId: row.id,
    detail: { name: input.name },
  });
  await notifyTeam(tx, teamId, 'secrets', row.id);
  return { id: row.id };
}

export async function removeSecret(scope: Scope, id: string): Promise<void> {
  await scope.db.$transaction(async (tx) => {
    const { count } = await tx.secret.deleteMany({ where: { id } });
    if (count === 0) throw new AppError('not-found', 'No such secret.');
    await writeAudit(tx, scope, { action: 'secret.remove', subjectKind: 'secret', subjectId: id });
    await notifyTeam(tx, scope.teamId, 'secrets', id);
  });
}

/** Names of the secrets that plans refer to, anywhere in what they launch or send. */
export function secretNames(plans: readonly Plan[]): string[] {
  return [...new Set(JSON.stringify(plans).match(NAME) ?? [])].sort();
}

/** Values of those secrets that the team has; the agent may know others from its own environment. */
export async function openSecrets(tx: TeamTx, teamId: string, names: string[]): Promise<Record<string, string>> {
  if (names.length === 0) return {};
  const rows = await tx.secret.findMany({ where: { name: { in: names } } });
  return Object.fromEntries(rows.map((row) => [row.name, unseal(row.sealed, contextOf(teamId, row.name))]));
}

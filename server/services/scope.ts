import type { Prisma } from '../db/generated/client';
import { type TeamDb, type TeamTx, teamDb } from '../db/team-db';

/** Who does it; written into the audit row of each change. */
export interface Actor {
  kind: 'user' | 'api_key' | 'worker' | 'system';
  id: string | null;
  name: string;
}

/** What every use case gets: one team's database and who asks. */
export interface Scope {
  db: TeamDb;
  teamId: string;
  actor: Actor;
}

export interface AuditFact {
  /** `noun.verb` */
  action: string;
  subjectKind: string;
  subjectId: string | null;
  detail?: Prisma.InputJsonObject;
}

/** Leaves the audit row of a change, in the transaction that makes the change. */
export async function writeAudit(tx: TeamTx, scope: Scope, fact: AuditFact): Promise<void> {
  await tx.auditEntry.create({
    data: {
      teamId: scope.teamId,
      actorKind: scope.actor.kind,
      actorId: scope.actor.id,
      actorName: scope.actor.name,
      action: fact.action,
      subjectKind: fact.subjectKind,
      subjectId: fact.subjectId,
      detail: fact.detail ?? {},
    },
  });
}

export const teamScope = (teamId: string, actor: Actor): Scope => ({ db: teamDb(teamId), teamId, actor });

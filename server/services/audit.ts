import { type Page, type PageInput, readCursor, toPage } from './paging';
import type { Scope } from './scope';

export interface AuditView {
  id: string;
  at: Date;
  actorKind: 'user' | 'api_key' | 'worker' | 'system';
  actorName: string;
  action: string;
  subjectKind: string;
  subjectId: string | null;
  detail: unknown;
}

/** Newest first. Ids are time-ordered, so the id alone is the key. */
export async function listAudit(scope: Scope, input: PageInput): Promise<Page<AuditView>> {
  const after = readCursor(input.cursor);
  const rows = await scope.db.auditEntry.findMany({
    where: after ? { id: { lt: after.id } } : {},
    orderBy: { id: 'desc' },
    take: input.limit + 1,
  });
  const view = (row: (typeof rows)[number]): AuditView => ({
    id: row.id,
    at: row.createdAt,
    actorKind: row.actorKind,
    actorName: row.actorName,
    action: row.action,
    subjectKind: row.subjectKind,
    subjectId: row.subjectId,
    detail: row.detail,
  });
  return toPage(rows, input.limit, view, (row) => ({ at: row.createdAt, id: row.id }));
}

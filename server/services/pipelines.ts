import { type Pipeline as Document, pipelineSchema } from '../core/pipeline/document';
import type { Prisma } from '../db/generated/client';
import { toJson } from '../db/json';
import type { TeamTx } from '../db/team-db';
import { AppError } from '../errors';
import { notifyTeam } from './nudges';
import { afterCursor, type Page, type PageInput, toPage } from './paging';
import { type Scope, writeAudit } from './scope';

export interface PipelineSummary {
  id: string;
  name: string;
  revision: number;
  nodeCount: number;
  createdAt: Date;
  updatedAt: Date;
  updatedBy: string | null;
  lastExperiment: { id: string; number: number; state: string; sentence: string | null; createdAt: Date } | null;
}

export interface PipelineDetail {
  id: string;
  name: string;
  revision: number;
  document: Document;
  createdAt: Date;
  updatedAt: Date;
  updatedBy: string | null;
}

/** A save either lands or gives both documents back, so that neither is lost. */
export type SaveResult =
  | { saved: true; revision: number; updatedAt: Date }
  | { saved: false; mine: Document; theirs: PipelineDetail };

const MAX_DOCUMENT_BYTES = 5 * 1024 * 1024;
const MAX_NODES = 2_000;

/** Parses a stored or given document; refuses what is over the limits. */
export function readDocument(value: unknown): Document {
  const parsed = pipelineSchema.safeParse(value);
  if (!parsed.success) {
    const first = parsed.error.issues[0];
    throw new AppError('bad-request', `Not a pipeline: ${first?.path.join('.') ?? ''}: ${first?.message ?? ''}`);
  }
  if (parsed.data.nodes.length > MAX_NODES) {
    throw new AppError('payload-too-large', `A pipeline holds at most ${MAX_NODES} nodes.`);
  }
  return parsed.data;
}

function checkedDocument(value: unknown): { document: Document; json: Prisma.InputJsonObject } {
  const document = readDocument(value);
  if (Buffer.byteLength(JSON.stringify(document)) > MAX_DOCUMENT_BYTES) {
    throw new AppError('payload-too-large', 'A pipeline holds at most 5 MB.');
  }
  return { document, json: toJson(document) };
}

type Row = {
  id: string;
  name: string;
  revision: number;
  document: unknown;
  createdAt: Date;
  updatedAt: Date;
  updatedBy: string | null;
};
const toDetail = (row: Row): PipelineDetail => ({
  id: row.id,
  name: row.name,
  revision: row.revision,
  document: readDocument(row.document),
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
  updatedBy: row.updatedBy,
});

async function findRow(tx: TeamTx, id: string) {
  const row = await tx.pipeline.findFirst({ where: { id, deletedAt: null } });
  if (!row) throw new AppError('not-found', 'No such pipeline.');
  return row;
}

export async function listPipelines(
  scope: Scope,
  input: PageInput & { search?: string | undefined },
): Promise<Page<PipelineSummary>> {
  const rows = await scope.db.pipeline.findMany({
    where: {
      deletedAt: null,
      ...(input.search ? { name: { contains: input.search, mode: 'insensitive' as const } } : {}),
      ...afterCursor(input.cursor, 'updatedAt'),
    },
    orderBy: [{ updatedAt: 'desc' }, { id: 'desc' }],
    take: input.limit + 1,
    include: {
      experiments: {
        orderBy: { number: 'desc' },
        take: 1,
        select: { id: true, number: true, state: true, sentence: true, createdAt: true },
      },
    },
  });
  const view = (row: (typeof rows)[number]): PipelineSummary => ({
    id: row.id,
    name: row.name,
    revision: row.revision,
    nodeCount: readDocument(row.document).nodes.length,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    updatedBy: row.updatedBy,
    lastExperiment: row.experiments[0] ?? null,
  });
  return toPage(rows, input.limit, view, (row) => ({ at: row.updatedAt, id: row.id }));
}

export async function getPipeline(scope: Scope, id: string): Promise<PipelineDetail> {
  return toDetail(await findRow(scope.db, id));
}

export async function createPipeline(
  scope: Scope,
  input: { name: string; document: unknown },
): Promise<PipelineDetail> {
  const { json } = checkedDocument(input.document);
  const row = await scope.db.$transaction(async (tx) => {
    const author = scope.actor.name;
    const made = await tx.pipeline.create({
      data: { teamId: scope.teamId, name: input.name, document: json, createdBy: author, updatedBy: author },
    });
    await writeAudit(tx, scope, {
      action: 'pipeline.create',
      subjectKind: 'pipeline',
      subjectId: made.id,
      detail: { name: input.name },
    });
    await notifyTeam(tx, scope.teamId, 'pipelines', made.id);
    return made;
  });
  return toDetail(row);
}

/** Compare-and-set on `revision`. */
export async function savePipeline(
  scope: Scope,
  input: { id: string; revision: number; document: unknown },
): Promise<SaveResult> {
  const { document, json } = checkedDocument(input.document);
  return scope.db.$transaction(async (tx): Promise<SaveResult> => {
    const updatedAt = new Date();
    const { count } = await tx.pipeline.updateMany({
      where: { id: input.id, revision: input.revision, deletedAt: null },
      data: { document: json, revision: { increment: 1 }, updatedAt, updatedBy: scope.actor.name },
    });
    if (count === 0) return { saved: false, mine: document, theirs: toDetail(await findRow(tx, input.id)) };
    const revision = input.revision + 1;
    await writeAudit(tx, scope, {
      action: 'pipeline.save',
      subjectKind: 'pipeline',
      subjectId: input.id,
      detail: { revision },
    });
    await notifyTeam(tx, scope.teamId, 'pipelines', input.id);
    return { saved: true, revision, updatedAt };
  });
}

export async function renamePipeline(scope: Scope, input: { id: string; name: string }): Promise<void> {
  await scope.db.$transaction(async (tx) => {
    await findRow(tx, input.id);
    await tx.pipeline.update({ where: { id: input.id }, data: { name: input.name, updatedAt: new Date() } });
    await writeAudit(tx, scope, {
      action: 'pipeline.rename',
      subjectKind: 'pipeline',
      subjectId: input.id,
      detail: { name: input.name },
    });
    await notifyTeam(tx, scope.teamId, 'pipelines', input.id);
  });
}

export async function duplicatePipeline(scope: Scope, id: string): Promise<PipelineDetail> {
  const source = await findRow(scope.db, id);
  return createPipeline(scope, { name: `${source.name} (copy)`, document: source.document });
}

/** Marks it deleted; its experiments keep what they froze. */
export async function removePipeline(scope: Scope, id: string): Promise<void> {
  await scope.db.$transaction(async (tx) => {
    await findRow(tx, id);
    await tx.pipeline.update({ where: { id }, data: { deletedAt: new Date() } });
    await writeAudit(tx, scope, { action: 'pipeline.remove', subjectKind: 'pipeline', subjectId: id });
    await notifyTeam(tx, scope.teamId, 'pipelines', id);
  });
}

import type { Pipeline as Document } from '../core/pipeline/document';
import { toJson } from '../db/json';
import { lockPipeline } from '../db/sql/lock-pipeline';
import { AppError } from '../errors';
import { getPipeline, readDocument, type SaveResult, savePipeline } from './pipelines';
import { type Scope, writeAudit } from './scope';

export interface PipelineVersion {
  id: string;
  number: number;
  name: string | null;
  createdAt: Date;
  createdBy: string | null;
  document: Document;
}

const toVersion = (row: {
  id: string;
  number: number;
  name: string | null;
  createdAt: Date;
  createdBy: string | null;
  document: unknown;
}): PipelineVersion => ({
  id: row.id,
  number: row.number,
  name: row.name,
  createdAt: row.createdAt,
  createdBy: row.createdBy,
  document: readDocument(row.document),
});

const MAX_LISTED = 100;

/** Newest first. */
export async function listVersions(scope: Scope, pipelineId: string): Promise<PipelineVersion[]> {
  await getPipeline(scope, pipelineId);
  const rows = await scope.db.pipelineVersion.findMany({
    where: { pipelineId },
    orderBy: { number: 'desc' },
    take: MAX_LISTED,
  });
  return rows.map(toVersion);
}

/** Keeps the pipeline's stored document under a number and an optional name. */
export async function saveVersion(scope: Scope, input: { id: string; name: string | null }): Promise<PipelineVersion> {
  const pipeline = await getPipeline(scope, input.id);
  const row = await scope.db.$transaction(async (tx) => {
    await lockPipeline(tx, scope.teamId, input.id);
    const last = await tx.pipelineVersion.findFirst({ where: { pipelineId: input.id }, orderBy: { number: 'desc' } });
    const made = await tx.pipelineVersion.create({
      data: {
        teamId: scope.teamId,
        pipelineId: input.id,
        number: (last?.number ?? 0) + 1,
        name: input.name,
        document: toJson(pipeline.document),
        createdBy: scope.actor.name,
      },
    });
    await writeAudit(tx, scope, {
      action: 'pipeline.save-version',
      subjectKind: 'pipeline',
      subjectId: input.id,
      detail: { number: made.number },
    });
    return made;
  });
  return toVersion(row);
}

/** Writes the version's document as a new revision; nothing is taken back. */
export async function restoreVersion(
  scope: Scope,
  input: { id: string; versionId: string; revision: number },
): Promise<SaveResult> {
  const version = await scope.db.pipelineVersion.findFirst({ where: { id: input.versionId, pipelineId: input.id } });
  if (!version) throw new AppError('not-found', 'No such version.');
  return savePipeline(scope, { id: input.id, revision: input.revision, document: version.document });
}

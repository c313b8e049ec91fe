import { z } from 'zod';
import { listExamples } from '../../services/examples';
import { listVersions, restoreVersion, saveVersion } from '../../services/pipeline-versions';
import * as pipelines from '../../services/pipelines';
import { editorProcedure, idInput, pageInput, router, viewerProcedure } from '../trpc';

const name = z.string().trim().min(1).max(200);
const revision = z.number().int().positive();

export const pipelinesRouter = router({
  list: viewerProcedure
    .input(pageInput.extend({ search: z.string().max(200).optional() }))
    .query(({ ctx, input }) => pipelines.listPipelines(ctx.scope, input)),
  get: viewerProcedure.input(idInput).query(({ ctx, input }) => pipelines.getPipeline(ctx.scope, input.id)),
  create: editorProcedure
    .input(z.object({ name, document: z.unknown() }))
    .mutation(({ ctx, input }) => pipelines.createPipeline(ctx.scope, input)),
  save: editorProcedure
    .input(idInput.extend({ revision, document: z.unknown() }))
    .mutation(({ ctx, input }) => pipelines.savePipeline(ctx.scope, input)),
  rename: editorProcedure
    .input(idInput.extend({ name }))
    .mutation(({ ctx, input }) => pipelines.renamePipeline(ctx.scope, input)),
  duplicate: editorProcedure
    .input(idInput)
    .mutation(({ ctx, input }) => pipelines.duplicatePipeline(ctx.scope, input.id)),
  remove: editorProcedure.input(idInput).mutation(({ ctx, input }) => pipelines.removePipeline(ctx.scope, input.id)),
  versions: viewerProcedure.input(idInput).query(({ ctx, input }) => listVersions(ctx.scope, input.id)),
  saveVersion: editorProcedure
    .input(idInput.extend({ name: name.nullable().default(null) }))
    .mutation(({ ctx, input }) => saveVersion(ctx.scope, input)),
  restoreVersion: editorProcedure
    .input(idInput.extend({ versionId: z.uuid(), revision }))
    .mutation(({ ctx, input }) => restoreVersion(ctx.scope, input)),
  examples: viewerProcedure.query(() => listExamples()),
});

import { z } from 'zod';
import { experimentStateSchema } from '../../core/run/stream';
import { cancelExperiment, retryBlock } from '../../services/experiment-changes';
import { startExperiment } from '../../services/experiment-start';
import { getExperiment, getSeconds, getTrial, listExperiments } from '../../services/experiments';
import { editorProcedure, idInput, pageInput, router, viewerProcedure } from '../trpc';

const MAX_BLOCKS = 12;

const startInput = z.object({
  pipelineId: z.uuid(),
  revision: z.number().int().positive().nullable().default(null),
  blocks: z.number().int().min(1).max(MAX_BLOCKS).nullable().default(null),
  seed: z.number().int().nonnegative().nullable().default(null),
  deployments: z.array(z.string()).min(1).nullable().default(null),
});

export const experimentsRouter = router({
  list: viewerProcedure
    .input(pageInput.extend({ pipelineId: z.uuid().optional(), state: experimentStateSchema.optional() }))
    .query(({ ctx, input }) => listExperiments(ctx.scope, input)),
  get: viewerProcedure.input(idInput).query(({ ctx, input }) => getExperiment(ctx.scope, input.id)),
  /** `started: false` carries the error findings. */
  start: editorProcedure.input(startInput).mutation(({ ctx, input }) => startExperiment(ctx.scope, input)),
  cancel: editorProcedure.input(idInput).mutation(({ ctx, input }) => cancelExperiment(ctx.scope, input.id)),
  retryBlock: editorProcedure
    .input(idInput.extend({ block: z.number().int().nonnegative() }))
    .mutation(({ ctx, input }) => retryBlock(ctx.scope, input)),
  /** `id` is the trial's. */
  trial: viewerProcedure.input(idInput).query(({ ctx, input }) => getTrial(ctx.scope, input.id)),
  /** One-second rows of a trial by load level; `id` is the trial's. */
  seconds: viewerProcedure.input(idInput).query(({ ctx, input }) => getSeconds(ctx.scope, input.id)),
});

import { z } from 'zod';
import { measureEndpoints } from '../../services/endpoints';
import { editorProcedure, router } from '../trpc';

const targetSchema = z.object({
  label: z.string().trim().min(1).max(100),
  url: z.url({ protocol: /^https?$/ }).max(2_000),
  model: z.string().trim().min(1).max(300),
  /** Kept as a secret of the team; never shown again. */
  apiKey: z.string().min(1).max(10_000).nullable().default(null),
});
const measureInput = z.object({
  /** The first one is the baseline. */
  targets: z.array(targetSchema).min(1).max(2),
  inputTokens: z.number().int().min(1).max(100_000).default(256),
  outputTokens: z.number().int().min(1).max(10_000).default(64),
  concurrency: z.number().int().min(1).max(1_024).default(4),
  blocks: z.number().int().min(1).max(12).default(3),
  windowS: z.number().min(5).max(600).default(15),
});

export const endpointsRouter = router({
  measure: editorProcedure.input(measureInput).mutation(({ ctx, input }) => measureEndpoints(ctx.scope, input)),
});

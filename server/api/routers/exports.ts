import { z } from 'zod';
import { findEvidence } from '../../services/evidence';
import { router, viewerProcedure } from '../trpc';

export const exportsRouter = router({
  /** The newest valid measured trial of a plan, or null. The exporter judges whether it may be quoted. */
  evidence: viewerProcedure
    .input(z.object({ planHash: z.string().min(1).max(200) }))
    .query(({ ctx, input }) => findEvidence(ctx.scope, input.planHash)),
});

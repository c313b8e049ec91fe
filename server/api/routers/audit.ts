import { listAudit } from '../../services/audit';
import { ownerProcedure, pageInput, router } from '../trpc';

export const auditRouter = router({
  list: ownerProcedure.input(pageInput).query(({ ctx, input }) => listAudit(ctx.scope, input)),
});

import { z } from 'zod';
import { describeModel } from '../../services/describe-model';
import { editorProcedure, router } from '../trpc';

const source = z.union([
  z.strictObject({ repo: z.string().min(1).max(200), revision: z.string().min(1).max(100).nullable().default(null) }),
  z.strictObject({ url: z.string().min(1).max(2000) }),
]);

export const modelsRouter = router({
  /** Facts of a model elsewhere; what goes wrong is among the findings. A mutation: it makes the server call out. */
  describe: editorProcedure.input(source).mutation(({ input }) => describeModel(input)),
});

import { auditRouter } from './routers/audit';
import { endpointsRouter } from './routers/endpoints';
import { experimentsRouter } from './routers/experiments';
import { exportsRouter } from './routers/exports';
import { liveRouter } from './routers/live';
import { meRouter } from './routers/me';
import { membersRouter } from './routers/members';
import { modelsRouter } from './routers/models';
import { pipelinesRouter } from './routers/pipelines';
import { secretsRouter } from './routers/secrets';
import { sessionRouter } from './routers/session';
import { tokensRouter } from './routers/tokens';
import { workersRouter } from './routers/workers';
import { router } from './trpc';

/** What people and their API keys may ask. Agents have a router of their own (worker/router). */
export const appRouter = router({
  me: meRouter,
  pipelines: pipelinesRouter,
  experiments: experimentsRouter,
  live: liveRouter,
  workers: workersRouter,
  tokens: tokensRouter,
  secrets: secretsRouter,
  audit: auditRouter,
  endpoints: endpointsRouter,
  exports: exportsRouter,
  models: modelsRouter,
  members: membersRouter,
  session: sessionRouter,
});
export type AppRouter = typeof appRouter;

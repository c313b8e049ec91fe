import type { WorkerScope } from '../../services/worker-sessions';

export interface WorkerContext {
  /** The token's team and rights; null without a live worker token. */
  scope: WorkerScope | null;
  responseHeaders: Headers;
}

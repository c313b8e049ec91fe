import { teamScope } from '../../services/scope';
import { findBearer } from '../../services/tokens';
import type { WorkerScope } from '../../services/worker-sessions';
import { bearerOf } from '../resolve-caller';

/** The scope of a worker's token, or null. Cookies are never read. */
export async function resolveWorker(headers: Headers): Promise<WorkerScope | null> {
  const bearer = bearerOf(headers);
  const token = bearer === null ? null : await findBearer(bearer, 'worker');
  if (!token) return null;
  const actor = { kind: 'worker', id: token.id, name: `${token.name} (${token.prefix}…)` } as const;
  return { ...teamScope(token.teamId, actor), tokenId: token.id };
}

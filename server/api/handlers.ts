import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import { take } from '../auth/limits';
import { admitRequest, refuse } from '../auth/trust';
import { MAX_BATCH_BYTES } from '../core/run/protocol';
import { readEnv } from '../env';
import { AppError } from '../errors';
import type { ApiContext } from './context';
import { bearerOf, resolveCaller } from './resolve-caller';
import { appRouter } from './router';
import { toTrpcError } from './translate-error';
import { resolveWorker } from './worker/resolve-worker';
import { workerRouter } from './worker/router';

/** What surrounds the events of a batch: ids and JSON of the call. */
const ENVELOPE_BYTES = 4 * 1024;

async function translated<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toTrpcError(error);
  }
}

async function limitBearer(headers: Headers, responseHeaders: Headers): Promise<void> {
  const bearer = bearerOf(headers);
  if (bearer === null) return;
  const wait = await take('api-key', bearer);
  if (wait === null) return;
  responseHeaders.set('retry-after', String(wait));
  throw new AppError('too-many-requests', `At most 600 requests a minute. Wait ${wait} s.`, {
    retryAfterMs: wait * 1000,
  });
}

/** tRPC for people and their API keys. */
export async function handleApi(request: Request): Promise<Response> {
  const refusal = admitRequest(request, readEnv());
  if (refusal) return refuse(refusal);
  const responseHeaders = new Headers();
  const response = await fetchRequestHandler({
    endpoint: '/api/trpc',
    req: request,
    router: appRouter,
    createContext: (): Promise<ApiContext> =>
      translated(async () => {
        await limitBearer(request.headers, responseHeaders);
        return { caller: await resolveCaller(request.headers), headers: request.headers, responseHeaders };
      }),
  });
  return withHeaders(response, responseHeaders);
}

/** tRPC for agents. */
export async function handleWorker(request: Request): Promise<Response> {
  const refusal = admitRequest(request, readEnv());
  if (refusal) return refuse(refusal);
  if (Number(request.headers.get('content-length') ?? 0) > MAX_BATCH_BYTES + ENVELOPE_BYTES) {
    return refuse({
      status: 413,
      code: 'payload-too-large',
      message: `A batch holds at most ${MAX_BATCH_BYTES} bytes.`,
    });
  }
  const responseHeaders = new Headers();
  const response = await fetchRequestHandler({
    endpoint: '/api/worker',
    req: request,
    router: workerRouter,
    createContext: () => translated(async () => ({ scope: await resolveWorker(request.headers), responseHeaders })),
  });
  return withHeaders(response, responseHeaders);
}

/** Headers that procedures set. A stream has begun before its procedure runs, and sets none. */
function withHeaders(response: Response, headers: Headers): Response {
  for (const [name, value] of headers) response.headers.append(name, value);
  return response;
}

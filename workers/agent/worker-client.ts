import { createTRPCClient, httpLink, TRPCClientError } from '@trpc/client';
import { z } from 'zod';
import type { WorkerRouter } from '@/server/api/worker/router';
import * as protocol from '@/server/core/run/protocol';
import { type ApiProblem, type WorkerApi, WorkerApiError } from './worker-api';

const REQUEST_TIMEOUT_MS = 20_000;

const refusalSchema = z.object({
  httpStatus: z.number(),
  details: z.object({ problem: z.string().optional(), retryAfterMs: z.number().optional() }).optional(),
});

const NAMED_PROBLEMS: ReadonlySet<string> = new Set(['lost', 'protocol', 'register', 'too-many', 'too-large']);

function problemOf(httpStatus: number, named: string | undefined): ApiProblem {
  if (named !== undefined && NAMED_PROBLEMS.has(named)) return named as ApiProblem;
  if (httpStatus === 413) return 'too-large';
  if (httpStatus === 429) return 'too-many';
  return httpStatus >= 400 && httpStatus < 500 ? 'refused' : 'unavailable';
}

/** Translates what went wrong into what the agent can act on. Without an answer the server is unavailable. */
export function toApiError(error: unknown): WorkerApiError {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof Error && error.cause instanceof WorkerApiError) return error.cause;
  if (!(error instanceof TRPCClientError)) return new WorkerApiError('unavailable', message, null, { cause: error });
  const refusal = refusalSchema.safeParse(error.data);
  if (refusal.success) {
    const { httpStatus, details } = refusal.data;
    const problem = problemOf(httpStatus, details?.problem);
    return new WorkerApiError(problem, message, details?.retryAfterMs ?? null, { cause: error });
  }
  const answered = z.object({ response: z.object({ status: z.number() }) }).safeParse(error.meta);
  const problem = answered.success ? problemOf(answered.data.response.status, undefined) : 'unavailable';
  return new WorkerApiError(problem, message, null, { cause: error });
}

/**
 * Fetch with a time-out. An answer that is not ours (a proxy's page, or the server's door before the router) becomes
 * an error by its status: tRPC would only say that it is no JSON.
 */
async function fetchAnswer(input: RequestInfo | URL | string, init: RequestInit): Promise<Response> {
  const answer = await fetch(input, { ...init, signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) });
  if (answer.headers.get('content-type')?.includes('json')) return answer;
  await answer.body?.cancel();
  const seconds = Number(answer.headers.get('retry-after') ?? Number.NaN);
  const problem = answer.ok ? 'refused' : problemOf(answer.status, undefined);
  const message = `HTTP ${answer.status} from what is no Inferloom server, or before it`;
  throw new WorkerApiError(problem, message, Number.isFinite(seconds) ? seconds * 1000 : null);
}

/** Speaks the worker API of a server with a worker token. Both sides parse with the schemas of core/run/protocol. */
export function createWorkerClient(serverUrl: string, token: string): WorkerApi {
  const client = createTRPCClient<WorkerRouter>({
    links: [
      httpLink({
        url: new URL('/api/worker', serverUrl).href,
        headers: { authorization: `Bearer ${token}` },
        fetch: (input, init) => fetchAnswer(input, init as RequestInit),
      }),
    ],
  });
  const call = async <T>(schema: z.ZodType<T>, ask: () => Promise<unknown>): Promise<T> => {
    try {
      return schema.parse(await ask());
    } catch (error) {
      throw error instanceof z.ZodError
        ? new WorkerApiError('protocol', `an answer that this agent does not understand: ${z.prettifyError(error)}`)
        : toApiError(error);
    }
  };
  return {
    register: (input) =>
      call(protocol.registerOutput, () => client.register.mutate(protocol.registerInput.parse(input))),
    claim: (input) => call(protocol.claimOutput, () => client.claim.mutate(protocol.claimInput.parse(input))),
    heartbeat: (input) =>
      call(protocol.heartbeatOutput, () => client.heartbeat.mutate(protocol.heartbeatInput.parse(input))),
    append: (input) => call(protocol.appendOutput, () => client.append.mutate(protocol.appendInput.parse(input))),
    finish: (input) => call(protocol.finishOutput, () => client.finish.mutate(protocol.finishInput.parse(input))),
  };
}

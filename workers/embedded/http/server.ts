import { createHash, timingSafeEqual } from 'node:crypto';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import { z } from 'zod';
import { ApiError, badRequest } from './api-error';
import { readJson, sendJson } from './body';
import { complete } from './completions';
import { effectiveConfiguration } from './effective';
import type { EngineService } from './engine-service';
import { engineMetrics } from './metrics';
import { score } from './score';

/** `service` returns null while the model loads. */
export function createEngineServer(apiKey: string | null, service: () => EngineService | null): http.Server {
  return http.createServer((req, res) => {
    route(apiKey, service, req, res).catch((error: unknown) => {
      const refused = error instanceof ApiError ? error : new ApiError(500, 'internal_error', String(error));
      if (refused.status >= 500) process.stderr.write(`${req.method} ${req.url}: ${String(error)}\n`);
      sendJson(res, refused.status, refused.body(), refused.headers);
    });
  });
}

type Handler = (service: EngineService, req: IncomingMessage, res: ServerResponse) => void | Promise<void>;

const HANDLERS: Record<string, Handler> = {
  'POST /v1/completions': (service, req, res) => complete(service, 'text', req, res),
  'POST /v1/chat/completions': (service, req, res) => complete(service, 'chat', req, res),
  'GET /v1/models': (service, _req, res) =>
    sendJson(res, 200, {
      object: 'list',
      data: [
        {
          id: service.alias,
          object: 'model',
          created: 0,
          owned_by: 'inferloom',
          max_model_len: service.contextTokensPerSequence,
        },
      ],
    }),
  'GET /metrics': async (service, _req, res) => {
    const metrics = engineMetrics(service);
    res.writeHead(200, { 'content-type': metrics.contentType });
    res.end(await metrics.metrics());
  },
  'GET /inferloom/effective': (service, _req, res) => sendJson(res, 200, effectiveConfiguration(service)),
  'POST /inferloom/reset': async (service, _req, res) => {
    if (!(await service.scheduler.reset()))
      throw new ApiError(409, 'busy', 'requests are still running: caches not dropped');
    sendJson(res, 200, { reset: true });
  },
  'POST /inferloom/score': score,
  'POST /tokenize': async (service, req, res) => {
    const body = z
      .object({ content: z.string(), add_special: z.boolean().default(false) })
      .safeParse(await readJson(req));
    if (!body.success) throw badRequest('content must be a string', 'content');
    sendJson(res, 200, { tokens: service.tokenize(body.data.content, body.data.add_special) });
  },
  'POST /detokenize': async (service, req, res) => {
    const body = z
      .object({
        tokens: z.array(
          z
            .number()
            .int()
            .nonnegative()
            .max(service.vocabularySize - 1),
        ),
      })
      .safeParse(await readJson(req));
    if (!body.success) throw badRequest(`tokens must be ids below ${service.vocabularySize}`, 'tokens');
    sendJson(res, 200, { content: service.detokenize(body.data.tokens, []) });
  },
};

async function route(
  apiKey: string | null,
  current: () => EngineService | null,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const path = (req.url ?? '/').split('?')[0];
  const service = current();
  if (req.method === 'GET' && path === '/health') {
    const loading = { error: { message: 'Loading model', type: 'unavailable_error', code: 503 } };
    return service ? sendJson(res, 200, { status: 'ok' }) : sendJson(res, 503, loading);
  }
  if (apiKey !== null && !sameSecret(bearer(req), apiKey))
    throw new ApiError(401, 'invalid_api_key', 'missing or wrong API key: send "Authorization: Bearer …"', null, {
      'www-authenticate': 'Bearer',
    });
  const handler = HANDLERS[`${req.method} ${path}`];
  if (!handler) throw new ApiError(404, 'not_found', `no route ${req.method} ${path}`);
  if (!service) throw new ApiError(503, 'loading', 'the model is loading', null, { 'retry-after': '1' });
  await handler(service, req, res);
}

const bearer = (req: IncomingMessage): string => /^Bearer (.+)$/i.exec(req.headers.authorization ?? '')?.[1] ?? '';

/** Compares digests, so that neither length nor content shows in the time it takes. */
function sameSecret(given: string, wanted: string): boolean {
  const digest = (s: string): Buffer => createHash('sha256').update(s).digest();
  return timingSafeEqual(digest(given), digest(wanted));
}

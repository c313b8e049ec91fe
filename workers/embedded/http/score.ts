import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import type { ScoreJob } from '../job';
import { ApiError, badRequest } from './api-error';
import { readJson } from './body';
import { queueFull } from './completions';
import type { EngineService } from './engine-service';

const bodySchema = z.union([
  z.strictObject({ text: z.string() }),
  z.strictObject({ tokens: z.array(z.number().int().nonnegative()) }),
]);

/**
 * POST /inferloom/score: natural log-probabilities of the whole vocabulary after each token but the last, as
 * little-endian float32, (tokens − 1) rows × vocabulary. Headers: x-tokens (the text's tokens) and x-vocab.
 */
export async function score(service: EngineService, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const body = bodySchema.safeParse(await readJson(req));
  if (!body.success) throw badRequest('the body must be { "text": … } or { "tokens": [ … ] }');
  const tokens = 'text' in body.data ? service.tokenize(body.data.text, false) : body.data.tokens;
  if (tokens.length < 2) throw badRequest('at least two tokens are needed', 'tokens');
  if (tokens.some((t) => t >= service.vocabularySize))
    throw badRequest(`tokens must be ids below ${service.vocabularySize}`, 'tokens');
  if (tokens.length > service.contextTokensPerSequence)
    throw badRequest(
      `${tokens.length} tokens exceed the context of ${service.contextTokensPerSequence}`,
      'tokens',
      'context_length_exceeded',
    );
  const job = newScoreJob(tokens, service.vocabularySize, res);
  res.on('close', () => {
    if (!res.writableFinished) service.scheduler.cancel(job);
  });
  if (!service.scheduler.submit(job)) throw queueFull(service);
}

function newScoreJob(tokens: readonly number[], vocabularySize: number, res: ServerResponse): ScoreJob {
  return {
    kind: 'score',
    cancelled: false,
    tokens,
    onRow: (row) => {
      if (!res.headersSent)
        res.writeHead(200, {
          'content-type': 'application/octet-stream',
          'x-tokens': String(tokens.length),
          'x-vocab': String(vocabularySize),
          'content-length': String((tokens.length - 1) * vocabularySize * 4),
        });
      res.write(littleEndian(row));
    },
    onFinish: () => res.end(),
    onError: (error) => {
      if (res.headersSent) res.destroy(error);
      else {
        const failed = new ApiError(500, 'engine_error', error.message);
        res.writeHead(failed.status, { 'content-type': 'application/json' });
        res.end(JSON.stringify(failed.body()));
      }
    },
  };
}

const hostIsLittleEndian = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1;

function littleEndian(row: Float32Array): Buffer {
  const bytes = Buffer.from(row.buffer, row.byteOffset, row.byteLength);
  return hostIsLittleEndian ? bytes : bytes.swap32();
}

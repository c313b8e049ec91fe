import { randomInt, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { GenerateJob } from '../job';
import { retryAfterS } from '../schedule';
import { TextStream } from '../text-stream';
import { ApiError, badRequest } from './api-error';
import { readJson } from './body';
import { type CompletionRequest, parseCompletionRequest } from './completion-request';
import { completionWriter } from './completion-writer';
import type { EngineService } from './engine-service';

/** POST /v1/completions and /v1/chat/completions. */
export async function complete(
  service: EngineService,
  kind: 'text' | 'chat',
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const request = parseCompletionRequest(await readJson(req), kind);
  if (request.model !== null && request.model !== service.alias)
    throw new ApiError(404, 'model_not_found', `this engine serves ${service.alias}, not ${request.model}`, 'model');
  const prompt = promptTokens(service, request);
  const maxTokens = outputLimit(service, request, prompt.length);
  const job = newJob(service, request, prompt, maxTokens, kind, res);
  res.on('close', () => {
    if (!res.writableFinished) service.scheduler.cancel(job);
  });
  if (!service.scheduler.submit(job)) throw queueFull(service);
}

export function queueFull(service: EngineService): ApiError {
  const { scheduler, options } = service;
  const seconds = retryAfterS(scheduler.waiting, options.sequences, scheduler.meanServiceMs);
  const message = `${scheduler.waiting} requests wait already (--queue-limit ${options.queueLimit}); try again in ${seconds} s`;
  return new ApiError(429, 'queue_full', message, null, { 'retry-after': String(seconds) });
}

function promptTokens(service: EngineService, request: CompletionRequest): number[] {
  const { prompt } = request;
  const tokens =
    'tokens' in prompt
      ? prompt.tokens
      : service.tokenize(
          'messages' in prompt ? service.template.render(prompt.messages) : prompt.text,
          'messages' in prompt,
        );
  if (tokens.length === 0) throw badRequest('the prompt has no tokens', 'prompt');
  const foreign = tokens.find((t) => t >= service.vocabularySize);
  if (foreign !== undefined)
    throw badRequest(`token ${foreign} is not in this model's vocabulary of ${service.vocabularySize}`, 'prompt');
  return tokens;
}

/** Nothing is cut off silently: what does not fit is refused. */
function outputLimit(service: EngineService, request: CompletionRequest, promptLength: number): number {
  const capacity = service.contextTokensPerSequence;
  const tooLong = (message: string): ApiError => badRequest(message, 'messages', 'context_length_exceeded');
  if (promptLength >= capacity)
    throw tooLong(
      `the prompt has ${promptLength} tokens, more than fit beside one output token into a context of ${capacity}`,
    );
  const maxTokens = request.maxTokens ?? capacity - promptLength;
  if (request.minTokens > maxTokens)
    throw badRequest(`min_tokens ${request.minTokens} exceeds max_tokens ${maxTokens}`, 'min_tokens');
  if (!service.options.contextShift && promptLength + maxTokens > capacity)
    throw tooLong(
      `${promptLength} prompt tokens and ${maxTokens} output tokens exceed the context of ${capacity} tokens`,
    );
  return maxTokens;
}

function newJob(
  service: EngineService,
  request: CompletionRequest,
  prompt: readonly number[],
  maxTokens: number,
  kind: 'text' | 'chat',
  res: ServerResponse,
): GenerateJob {
  const text = new TextStream((tokens, before) => service.detokenize(tokens, before), prompt.slice(-4), request.stops);
  const id = `${kind === 'chat' ? 'chatcmpl' : 'cmpl'}-${randomUUID()}`;
  const writer = completionWriter({ id, model: service.alias, kind, request, promptTokens: prompt.length, res });
  let stopped = false;
  return {
    kind: 'generate',
    cancelled: false,
    prompt,
    maxTokens,
    minTokens: request.minTokens,
    ignoreEos: request.ignoreEos,
    sampling: {
      temperature: request.temperature,
      topP: request.topP,
      topK: request.topK,
      minP: request.minP,
      seed: (request.seed ?? randomInt(2 ** 32)) >>> 0,
    },
    onStart: (cached) => writer.start(cached),
    onToken: (token, isEnd) => {
      writer.count(token);
      if (isEnd) return 'stop';
      const step = text.push(token);
      writer.add(step.text);
      stopped = step.stopped && writer.tokens >= request.minTokens;
      return stopped ? 'stop' : 'go-on';
    },
    onStep: () => writer.step(),
    onFinish: (reason) => {
      if (!stopped) writer.add(text.flush());
      writer.finish(reason);
    },
    onError: (error) => writer.fail(error),
  };
}

import http from 'node:http';
import https from 'node:https';
import type { Outcome, RequestRecord } from '@/server/core/metrics/records';
import { spreadTokens } from '@/server/core/metrics/spread-tokens';
import type { LoadJob } from './load-types';
import { createStreamReader, type StreamContent, type StreamReader } from './stream-reader';

export interface RequestSpec {
  index: number;
  phase: RequestRecord['phase'];
  scheduledMs: number;
  prompt: string;
  maxTokens: number;
  /** Asks for token ids in the answer, to check the server's own count; not every server knows the field. */
  tokenIds?: boolean;
}

export interface Client {
  /** One more request outside the load: its usage against the token ids in its stream; null where one is missing. */
  countTokens(spec: RequestSpec, signal: AbortSignal): Promise<{ reported: number; counted: number } | null>;
  /** Sends one request and resolves with its record; never rejects. `onChunk` is told of chunks as they come, and of corrections. */
  send(spec: RequestSpec, onChunk: (chunks: number) => void, signal: AbortSignal): Promise<RequestRecord>;
  close(): void;
}

interface Answer {
  sentMs: number;
  endMs: number;
  status: number | null;
  outcome: Outcome;
  error: string | null;
  content: StreamContent | null;
}

/** `http://host:1` and `http://host:1/v1` mean the same server. */
export function endpointUrl(base: string, endpoint: 'completions' | 'chat'): URL {
  const trimmed = base.replace(/\/+$/, '');
  const root = /\/v\d+$/.test(trimmed) ? trimmed : `${trimmed}/v1`;
  return new URL(`${root}/${endpoint === 'chat' ? 'chat/completions' : 'completions'}`);
}

/** The body of one request: the plan's request defaults first, what the load needs last. */
export function requestBody(job: LoadJob, spec: RequestSpec): string {
  const { workload } = job;
  return JSON.stringify({
    ...job.request,
    model: job.model,
    ...(workload.endpoint === 'chat'
      ? { messages: [{ role: 'user', content: spec.prompt }] }
      : { prompt: spec.prompt }),
    max_tokens: spec.maxTokens,
    ...(workload.ignoreEos ? { ignore_eos: true, min_tokens: spec.maxTokens } : {}),
    ...(spec.tokenIds ? { return_token_ids: true } : {}),
    stream: true,
    stream_options: { include_usage: true },
  });
}

function toRecord(spec: RequestSpec, answer: Answer, keepText: boolean): RequestRecord {
  const { content } = answer;
  const ok = answer.outcome === 'ok';
  const times = content?.chunkTimesMs ?? [];
  const tokens = content?.usage && ok ? content.usage.outputTokens : times.length;
  // Tokens without a visible chunk (an end token, say) belong to what was shown; none shown means none timed.
  const chunkTokens = spreadTokens(
    (content?.chunkTexts ?? []).map((text) => text.length),
    tokens,
  );
  return {
    index: spec.index,
    phase: spec.phase,
    scheduledMs: spec.scheduledMs,
    sentMs: answer.sentMs,
    firstTokenMs: times[0] ?? null,
    lastTokenMs: times.at(-1) ?? null,
    endMs: answer.endMs,
    outcome: answer.outcome,
    httpStatus: answer.status,
    error: answer.error,
    inputTokens: content?.usage?.inputTokens ?? null,
    cachedTokens: content?.usage?.cachedTokens ?? null,
    outputTokens: times.length === 0 ? 0 : tokens,
    firstChunkTokens: chunkTokens[0] ?? 0,
    requestedOutputTokens: spec.maxTokens,
    chunkTimesMs: times,
    chunkTokens,
    queueMs: content?.queueMs ?? null,
    text: ok && keepText ? (content?.chunkTexts.join('') ?? '') : null,
  };
}

interface Wire {
  transport: typeof http | typeof https;
  agent: http.Agent;
  url: URL;
  headers: Record<string, string>;
  timeoutS: number;
  now: () => number;
}

interface Exchange {
  body: string;
  requestId: string;
  onChunk: (chunks: number) => void;
  signal: AbortSignal;
}

const isShed = (response: http.IncomingMessage): boolean =>
  response.statusCode === 429 || (response.statusCode === 503 && response.headers['retry-after'] !== undefined);

type Finish = (outcome: Outcome, error: string | null) => void;

/** Reads a refusal's first words; it ends with the connection or the body, whichever comes first. */
function readRefusal(response: http.IncomingMessage, finish: Finish): void {
  let text = '';
  response.setEncoding('utf8');
  response.on('data', (part: string) => {
    if (text.length < 300) text += part;
  });
  response.on('close', () =>
    finish(isShed(response) ? 'shed' : 'error', `HTTP ${response.statusCode}: ${text.slice(0, 300)}`),
  );
}

function readStream(response: http.IncomingMessage, reader: StreamReader, now: () => number, finish: Finish): void {
  response.on('data', (bytes: Buffer) => reader.read(bytes, now()));
  response.on('end', () => finish('ok', null));
  response.on('error', (error) => finish('error', error.message));
  response.on('close', () => finish('error', 'the connection closed in the middle of the stream'));
}

/** What a stream that ended by itself says of its end; others keep their reason. */
function judgeEnd(answer: Answer, content: StreamContent): Answer {
  if (answer.outcome !== 'ok') return { ...answer, content };
  const cut = content.complete ? null : 'the stream ended before its end was announced';
  const error = content.error ?? cut;
  return { ...answer, content, error, outcome: error === null ? 'ok' : 'error' };
}

/** One POST and its answer. Null: a kept connection turned out to be closed before anything was answered. */
function exchange(wire: Wire, { body, requestId, onChunk, signal }: Exchange): Promise<Answer | null> {
  return new Promise((resolve) => {
    const { transport, agent, url, now } = wire;
    let sentMs = now();
    let status: number | null = null;
    let ended = false;
    const reader = createStreamReader(onChunk);
    const settle = (answer: Answer | null): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      resolve(answer);
    };
    // The first end counts and is stamped at once; the content is read after it.
    const finish: Finish = (outcome, error) => {
      if (ended) return;
      ended = true;
      const answer: Answer = { sentMs, endMs: now(), status, outcome, error, content: null };
      if (status !== 200) settle(answer);
      else reader.finish().then((content) => settle(judgeEnd(answer, content)));
    };
    const request = transport.request(url, {
      method: 'POST',
      agent,
      headers: { ...wire.headers, 'content-length': Buffer.byteLength(body), 'x-request-id': requestId },
    });
    const giveUp = (outcome: Outcome, why: string): void => {
      finish(outcome, why);
      request.destroy();
    };
    const timer = setTimeout(() => giveUp('timeout', `no end within ${wire.timeoutS} s`), wire.timeoutS * 1000);
    const onAbort = (): void => giveUp('error', 'aborted by the client');
    signal.addEventListener('abort', onAbort, { once: true });
    request.on('finish', () => {
      sentMs = now();
    });
    request.on('error', (error: NodeJS.ErrnoException) => {
      if (request.reusedSocket && error.code === 'ECONNRESET' && status === null) settle(null);
      else finish('error', error.code ? `${error.code}: ${error.message}` : error.message);
    });
    request.on('response', (response) => {
      status = response.statusCode ?? null;
      if (status === 200) readStream(response, reader, now, finish);
      else readRefusal(response, finish);
    });
    request.end(body);
  });
}

/** Texts kept a point for the degenerate-output detector. */
const KEPT_TEXTS = 50;

/** An OpenAI-compatible client over kept-alive connections. `now` is the run's clock, ms. */
export function createClient(job: LoadJob, now: () => number): Client {
  const url = endpointUrl(job.url, job.workload.endpoint);
  const transport = url.protocol === 'https:' ? https : http;
  const agent = new transport.Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY, scheduling: 'lifo' });
  const headers: Record<string, string> = { 'content-type': 'application/json', accept: 'text/event-stream' };
  if (job.apiKey !== null) headers.authorization = `Bearer ${job.apiKey}`;
  const wire: Wire = { transport, agent, url, headers, timeoutS: job.workload.requestTimeoutS, now };
  return {
    async send(spec, onChunk, signal) {
      const requestId = `${job.seed}-${job.blockIndex}-${job.loadIndex}-${spec.phase}-${spec.index}`;
      const post = { body: requestBody(job, spec), requestId, onChunk, signal };
      // A server may close an idle connection just as it is used again: once more, on a new one as a rule.
      const lost = { sentMs: now(), status: null, outcome: 'error', error: 'ECONNRESET twice', content: null } as const;
      const answer = (await exchange(wire, post)) ?? (await exchange(wire, post)) ?? { ...lost, endMs: now() };
      return toRecord(spec, answer, spec.index < KEPT_TEXTS);
    },
    async countTokens(spec, signal) {
      const requestId = `${job.seed}-${job.blockIndex}-${job.loadIndex}-check`;
      const post = { body: requestBody(job, { ...spec, tokenIds: true }), requestId, onChunk: () => {}, signal };
      const content = (await exchange(wire, post))?.content;
      if (!content?.usage || content.tokenIds === null) return null;
      return { reported: content.usage.outputTokens, counted: content.tokenIds };
    },
    close: () => agent.destroy(),
  };
}

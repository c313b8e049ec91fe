import type { ServerResponse } from 'node:http';
import type { FinishReason } from '../job';
import { ApiError } from './api-error';
import { sendJson } from './body';
import type { CompletionRequest } from './completion-request';

/** Collects a request's text and sends it: as server-sent events, one a step, or as one JSON document. */
export interface CompletionWriter {
  readonly tokens: number;
  start(cachedTokens: number): void;
  count(token: number): void;
  add(text: string): void;
  step(): void;
  finish(reason: FinishReason): void;
  fail(error: Error): void;
}

export interface WriterInput {
  id: string;
  model: string;
  kind: 'text' | 'chat';
  request: Pick<CompletionRequest, 'stream' | 'includeUsage' | 'continuousUsage' | 'returnTokenIds'>;
  promptTokens: number;
  res: ServerResponse;
}

export function completionWriter(input: WriterInput): CompletionWriter {
  return input.request.stream ? new StreamWriter(input) : new DocumentWriter(input);
}

abstract class Writer implements CompletionWriter {
  tokens = 0;
  protected text = '';
  /** Tokens that no chunk has carried yet. */
  private ids: number[] = [];
  protected cachedTokens = 0;
  private readonly created = Math.floor(Date.now() / 1000);

  constructor(protected readonly input: WriterInput) {}

  start(cachedTokens: number): void {
    this.cachedTokens = cachedTokens;
  }

  count(token: number): void {
    this.tokens++;
    this.ids.push(token);
  }

  add(text: string): void {
    this.text += text;
  }

  abstract step(): void;
  abstract finish(reason: FinishReason): void;
  abstract fail(error: Error): void;

  protected usage(): object {
    return {
      prompt_tokens: this.input.promptTokens,
      completion_tokens: this.tokens,
      total_tokens: this.input.promptTokens + this.tokens,
      prompt_tokens_details: { cached_tokens: this.cachedTokens },
    };
  }

  protected takeIds(): object {
    const ids = this.ids;
    this.ids = [];
    return this.input.request.returnTokenIds ? { token_ids: ids } : {};
  }

  protected document(object: string, choices: object[], more: object): object {
    return { id: this.input.id, object, created: this.created, model: this.input.model, choices, ...more };
  }
}

class DocumentWriter extends Writer {
  step(): void {}

  finish(reason: FinishReason): void {
    const chat = this.input.kind === 'chat';
    const content = chat ? { message: { role: 'assistant', content: this.text } } : { text: this.text };
    const choice = { index: 0, ...content, ...this.takeIds(), logprobs: null, finish_reason: reason };
    sendJson(
      this.input.res,
      200,
      this.document(chat ? 'chat.completion' : 'text_completion', [choice], { usage: this.usage() }),
    );
  }

  fail(error: Error): void {
    const failed = new ApiError(500, 'engine_error', error.message);
    sendJson(this.input.res, failed.status, failed.body());
  }
}

class StreamWriter extends Writer {
  /** Headers leave when the request leaves the queue; chat says who speaks in a chunk of its own. */
  override start(cachedTokens: number): void {
    super.start(cachedTokens);
    this.input.res.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' });
    if (this.input.kind === 'chat') this.send(this.chunk({ role: 'assistant', content: '' }, null));
    else this.input.res.flushHeaders();
  }

  /** A chunk a step, even where its text is held back: the client counts time by chunks. */
  step(): void {
    this.send(this.chunk(this.take(), null));
  }

  finish(reason: FinishReason): void {
    this.send(this.chunk(this.take(), reason));
    if (this.input.request.includeUsage) this.send(this.document(this.objectName(), [], { usage: this.usage() }));
    this.input.res.end('data: [DONE]\n\n');
  }

  fail(error: Error): void {
    this.send(new ApiError(500, 'engine_error', error.message).body());
    this.input.res.end('data: [DONE]\n\n');
  }

  private take(): object {
    const text = this.text;
    this.text = '';
    return this.input.kind === 'chat' ? { content: text } : { text };
  }

  private objectName(): string {
    return this.input.kind === 'chat' ? 'chat.completion.chunk' : 'text_completion';
  }

  private chunk(content: object, reason: FinishReason | null): object {
    const part = this.input.kind === 'chat' ? { delta: content } : content;
    const { includeUsage, continuousUsage } = this.input.request;
    const usage = continuousUsage ? { usage: this.usage() } : includeUsage ? { usage: null } : {};
    return this.document(
      this.objectName(),
      [{ index: 0, ...part, ...this.takeIds(), logprobs: null, finish_reason: reason }],
      usage,
    );
  }

  private send(event: object): void {
    this.input.res.write(`data: ${JSON.stringify(event)}\n\n`);
  }
}

import { StringDecoder } from 'node:string_decoder';
import { createParser } from 'eventsource-parser';

export interface Usage {
  inputTokens: number | null;
  cachedTokens: number | null;
  outputTokens: number;
}

/** What one streamed answer showed. Times are those of the socket read that brought the chunk, ms. */
export interface StreamContent {
  chunkTimesMs: number[];
  chunkTexts: string[];
  usage: Usage | null;
  queueMs: number | null;
  error: string | null;
  /** The stream said that it is complete: a finish reason or `[DONE]`. */
  complete: boolean;
}

interface Choice {
  text?: string | null;
  finish_reason?: string | null;
  delta?: { content?: string | null; reasoning_content?: string | null; reasoning?: string | null };
}

interface StreamEvent {
  choices?: Choice[];
  usage?: {
    prompt_tokens?: number;
    completion_tokens?: number;
    prompt_tokens_details?: { cached_tokens?: number } | null;
  } | null;
  timings?: { queue_ms?: number };
  error?: { message?: string } | string;
}

/** Content or reasoning text of an event; empty for role-only and empty deltas, which are no tokens. */
function eventText(event: StreamEvent): string {
  let text = '';
  for (const choice of event.choices ?? []) {
    const { delta } = choice;
    text += choice.text ?? delta?.content ?? '';
    text += delta?.reasoning_content ?? delta?.reasoning ?? '';
  }
  return text;
}

function readUsage(usage: NonNullable<StreamEvent['usage']>): Usage | null {
  if (typeof usage.completion_tokens !== 'number') return null;
  return {
    inputTokens: usage.prompt_tokens ?? null,
    cachedTokens: usage.prompt_tokens_details?.cached_tokens ?? null,
    outputTokens: usage.completion_tokens,
  };
}

/** Splits an OpenAI event stream as its bytes arrive. `onChunk` is told of every chunk that carries tokens. */
export function createStreamReader(onChunk: (atMs: number) => void): {
  content: StreamContent;
  read(bytes: Buffer, atMs: number): void;
} {
  const content: StreamContent = {
    chunkTimesMs: [],
    chunkTexts: [],
    usage: null,
    queueMs: null,
    error: null,
    complete: false,
  };
  const decoder = new StringDecoder('utf8');
  let readAtMs = 0;
  const take = (event: StreamEvent): void => {
    if (event.error !== undefined) {
      content.error = typeof event.error === 'string' ? event.error : (event.error.message ?? 'error in the stream');
    }
    const text = eventText(event);
    if (text !== '') {
      content.chunkTimesMs.push(readAtMs);
      content.chunkTexts.push(text);
      onChunk(readAtMs);
    }
    if (event.choices?.some((choice) => typeof choice.finish_reason === 'string')) content.complete = true;
    if (event.usage) content.usage = readUsage(event.usage) ?? content.usage;
    if (typeof event.timings?.queue_ms === 'number') content.queueMs = event.timings.queue_ms;
  };
  const parser = createParser({
    onEvent: ({ data }) => {
      if (data === '[DONE]') {
        content.complete = true;
        return;
      }
      try {
        take(JSON.parse(data) as StreamEvent);
      } catch {
        content.error ??= `an event is not JSON: ${data.slice(0, 80)}`;
      }
    },
  });
  return {
    content,
    read(bytes, atMs) {
      readAtMs = atMs;
      parser.feed(decoder.write(bytes));
    },
  };
}

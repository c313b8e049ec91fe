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
  /** Token ids that the events carried (vLLM's `return_token_ids`); null where they carry none. */
  tokenIds: number | null;
  usage: Usage | null;
  queueMs: number | null;
  error: string | null;
  /** The stream said that it is complete: a finish reason or `[DONE]`. */
  complete: boolean;
}

interface Choice {
  text?: string | null;
  token_ids?: number[] | null;
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

const errorText = (error: NonNullable<StreamEvent['error']>): string =>
  typeof error === 'string' ? error : (error.message ?? 'error in the stream');

/** Ids in all choices of an event; null where none carries any. */
function countTokenIds(event: StreamEvent): number | null {
  const lists = (event.choices ?? []).flatMap((choice) => (Array.isArray(choice.token_ids) ? [choice.token_ids] : []));
  return lists.length === 0 ? null : lists.reduce((sum, ids) => sum + ids.length, 0);
}

function readUsage(usage: NonNullable<StreamEvent['usage']>): Usage | null {
  if (typeof usage.completion_tokens !== 'number') return null;
  return {
    inputTokens: usage.prompt_tokens ?? null,
    cachedTokens: usage.prompt_tokens_details?.cached_tokens ?? null,
    outputTokens: usage.completion_tokens,
  };
}

export interface StreamReader {
  /** Keeps the bytes with their time; nothing is parsed while other streams wait for their stamp. */
  read(bytes: Buffer, atMs: number): void;
  /** Parses what was read, some events at a time so that other streams are stamped in between. */
  finish(): Promise<StreamContent>;
}

/** Reads parsed before others get their turn: well under a millisecond. */
const READS_A_TURN = 16;
const EVENT_END = Buffer.from('\n\n');

let lastTurn: Promise<unknown> = Promise.resolve();

/**
 * Resolves in a turn of the event loop of its own, in the order of asking: many answers that end together are parsed
 * one slice a turn, or their slices would add up between two looks at the sockets.
 */
function ownTurn(): Promise<unknown> {
  lastTurn = lastTurn.then(() => new Promise(setImmediate));
  return lastTurn;
}

/** Events that end in these bytes; an end cut in two by reads is missed, and corrected when the stream is parsed. */
function countEvents(bytes: Buffer): number {
  let events = 0;
  for (let at = bytes.indexOf(EVENT_END); at >= 0; at = bytes.indexOf(EVENT_END, at + 2)) events++;
  return events;
}

function emptyContent(): StreamContent {
  return {
    chunkTimesMs: [],
    chunkTexts: [],
    tokenIds: null,
    usage: null,
    queueMs: null,
    error: null,
    complete: false,
  };
}

function take(content: StreamContent, event: StreamEvent, readAtMs: number): void {
  if (event.error !== undefined) content.error = errorText(event.error);
  const text = eventText(event);
  if (text !== '') {
    content.chunkTimesMs.push(readAtMs);
    content.chunkTexts.push(text);
  }
  const ids = countTokenIds(event);
  if (ids !== null) content.tokenIds = (content.tokenIds ?? 0) + ids;
  if (event.choices?.some((choice) => typeof choice.finish_reason === 'string')) content.complete = true;
  if (event.usage) content.usage = readUsage(event.usage) ?? content.usage;
  if (typeof event.timings?.queue_ms === 'number') content.queueMs = event.timings.queue_ms;
}

/**
 * Reads an OpenAI event stream in two steps: stamps while it runs, content after its end.
 * @param onChunk told of events as they come, and at the end of the difference to chunks that carried tokens
 */
export function createStreamReader(onChunk: (chunks: number) => void): StreamReader {
  const content = emptyContent();
  const reads: Buffer[] = [];
  const timesMs: number[] = [];
  let told = 0;
  let readAtMs = 0;
  const decoder = new StringDecoder('utf8');
  const parser = createParser({
    onEvent: ({ data }) => {
      if (data === '[DONE]') {
        content.complete = true;
        return;
      }
      try {
        take(content, JSON.parse(data) as StreamEvent, readAtMs);
      } catch {
        content.error ??= `an event is not JSON: ${data.slice(0, 80)}`;
      }
    },
  });
  const tell = (chunks: number): void => {
    told += chunks;
    if (chunks !== 0) onChunk(chunks);
  };
  return {
    read(bytes, atMs) {
      reads.push(bytes);
      timesMs.push(atMs);
      tell(countEvents(bytes));
    },
    async finish() {
      for (const [i, bytes] of reads.entries()) {
        if (i % READS_A_TURN === 0) await ownTurn();
        readAtMs = timesMs[i] ?? 0;
        parser.feed(decoder.write(bytes));
      }
      reads.length = 0;
      tell(content.chunkTimesMs.length - told);
      return content;
    },
  };
}

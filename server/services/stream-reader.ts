import type { StreamEvent } from '../core/run/stream';
import { AppError } from '../errors';
import { log } from '../log';

/** Events that a subscriber may be behind before it is closed; it resumes from where it was. */
export const MAX_BEHIND = 1_000;
export const PAGE = 500;

export interface EventSource {
  /** Number of the newest event. */
  head(): Promise<number>;
  /** Events after a number, in order, at most `limit`. */
  after(seq: number, limit: number): Promise<StreamEvent[]>;
}

interface Subscriber {
  queue: StreamEvent[];
  failed: AppError | null;
  wake(): void;
}

/** What a subscriber gets: events in order without a gap, or word that the stream was shortened behind it. */
export type StreamMessage = { type: 'events'; events: StreamEvent[] } | { type: 'reset'; lastSeq: number };

/**
 * The one reader of a stream in this process. It reads what is new once and fans it out in memory; a subscriber that
 * joins reads the past by itself and then meets the live events without a gap.
 */
export class StreamReader {
  private readonly subscribers = new Set<Subscriber>();
  private position: number | null = null;
  private starting: Promise<void> | null = null;
  private reading = false;
  private again = false;

  constructor(private readonly source: EventSource) {}

  get size(): number {
    return this.subscribers.size;
  }

  /** Something was appended, or may have been. */
  wake(): void {
    if (this.subscribers.size === 0 || this.position === null) return;
    this.again = true;
    if (!this.reading) void this.readOn();
  }

  /** Ends every subscription with a reason that clients resume from. */
  closeAll(reason: string): void {
    for (const subscriber of this.subscribers) fail(subscriber, reason);
  }

  /** Finds the newest number once, whoever joins first: a second answer would move the reader under its own feet. */
  private start(): Promise<void> {
    this.starting ??= this.source.head().then(
      (head) => {
        this.position = head;
      },
      (error: unknown) => {
        this.starting = null;
        throw error;
      },
    );
    return this.starting;
  }

  private async readOn(): Promise<void> {
    this.reading = true;
    try {
      while (this.again) {
        this.again = false;
        const from = this.position ?? 0;
        const events = await this.source.after(from, PAGE);
        const [first, last] = [events[0], events.at(-1)];
        if (first && first.seq !== from + 1) this.closeAll('The stream was shortened meanwhile.');
        if (last) this.position = last.seq;
        if (events.length === PAGE) this.again = true;
        for (const subscriber of this.subscribers) push(subscriber, events);
      }
    } catch (error) {
      // The listener wakes every reader once the database is back.
      log.warn({ err: error }, 'reading a stream failed');
    } finally {
      this.reading = false;
    }
  }

  async *subscribe(after: number, signal: AbortSignal): AsyncGenerator<StreamMessage> {
    let wakeUp: () => void = () => {};
    const subscriber: Subscriber = { queue: [], failed: null, wake: () => wakeUp() };
    const onAbort = (): void => wakeUp();
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      // Joined before the past is read: what lands meanwhile waits in the queue.
      this.subscribers.add(subscriber);
      await this.start();
      this.wake();
      let cursor = after;
      for await (const message of this.past(cursor, signal)) {
        cursor = message.type === 'reset' ? message.lastSeq : (message.events.at(-1)?.seq ?? cursor);
        yield message;
      }
      while (!signal.aborted) {
        if (subscriber.failed) throw subscriber.failed;
        const events = subscriber.queue.splice(0).filter((event) => event.seq > cursor);
        const last = events.at(-1);
        if (last) {
          cursor = last.seq;
          yield { type: 'events', events };
          continue;
        }
        await new Promise<void>((resolve) => {
          wakeUp = resolve;
          if (signal.aborted || subscriber.failed || subscriber.queue.length > 0) resolve();
        });
      }
    } finally {
      signal.removeEventListener('abort', onAbort);
      this.subscribers.delete(subscriber);
    }
  }

  /** Everything between `after` and the reader's position. */
  private async *past(after: number, signal: AbortSignal): AsyncGenerator<StreamMessage> {
    let cursor = after;
    const head = await this.source.head();
    if (cursor > head) {
      yield { type: 'reset', lastSeq: head };
      return;
    }
    while (!signal.aborted && cursor < Math.max(head, this.position ?? 0)) {
      const events = await this.source.after(cursor, PAGE);
      const first = events[0];
      const last = events.at(-1);
      if (!first || !last || first.seq !== cursor + 1 || last.seq - first.seq !== events.length - 1) {
        yield { type: 'reset', lastSeq: head };
        return;
      }
      cursor = last.seq;
      yield { type: 'events', events };
    }
  }
}

function push(subscriber: Subscriber, events: readonly StreamEvent[]): void {
  if (subscriber.failed || events.length === 0) return;
  subscriber.queue.push(...events);
  if (subscriber.queue.length > MAX_BEHIND) {
    fail(subscriber, 'This connection fell behind; it resumes from the last event that it got.');
  }
  subscriber.wake();
}

/** `unavailable` is what clients reconnect on, with the number of the last event that they got. */
function fail(subscriber: Subscriber, reason: string): void {
  subscriber.failed = new AppError('unavailable', reason);
  subscriber.queue.length = 0;
  subscriber.wake();
}

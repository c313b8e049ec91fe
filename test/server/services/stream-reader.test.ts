import { describe, expect, it } from 'vitest';
import type { StreamEvent } from '@/server/core/run/stream';
import { type EventSource, MAX_BEHIND, type StreamMessage, StreamReader } from '@/server/services/stream-reader';

const eventOf = (seq: number): StreamEvent => ({
  seq,
  at: '2026-12-01T12:00:00.000Z',
  trialId: null,
  body: { kind: 'log', lines: [String(seq)] },
});

/** A store in memory that answers a moment later, as a database does. */
class Store implements EventSource {
  events: StreamEvent[] = [];
  reads = 0;
  append(count: number): void {
    for (let i = 0; i < count; i++) this.events.push(eventOf((this.events.at(-1)?.seq ?? 0) + 1));
  }
  async head(): Promise<number> {
    await Promise.resolve();
    return this.events.at(-1)?.seq ?? 0;
  }
  async after(seq: number, limit: number): Promise<StreamEvent[]> {
    this.reads += 1;
    await Promise.resolve();
    return this.events.filter((event) => event.seq > seq).slice(0, limit);
  }
}

/** Reads until `count` events came (or the stream ends); gives their numbers and every reset. */
async function collect(reader: StreamReader, after: number, count: number) {
  const controller = new AbortController();
  const seqs: number[] = [];
  const resets: number[] = [];
  for await (const message of reader.subscribe(after, controller.signal)) {
    if (message.type === 'reset') resets.push(message.lastSeq);
    else seqs.push(...message.events.map((event) => event.seq));
    if (seqs.length >= count || message.type === 'reset') break;
  }
  return { seqs, resets };
}
const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i);
const settle = async () => {
  for (let i = 0; i < 50; i++) await Promise.resolve();
};

describe('StreamReader', () => {
  it('gives the past and then what is new, in order without a gap', async () => {
    const store = new Store();
    store.append(1_200);
    const reader = new StreamReader(store);
    const all = collect(reader, 0, 1_210);
    await settle();
    store.append(10);
    reader.wake();
    expect((await all).seqs).toEqual(range(1, 1_210));
  });

  it('loses nothing that lands while the past is read', async () => {
    const store = new Store();
    store.append(600);
    const reader = new StreamReader(store);
    const first = collect(reader, 0, 650);
    for (let i = 0; i < 50; i++) {
      store.append(1);
      reader.wake();
      await Promise.resolve();
    }
    expect((await first).seqs).toEqual(range(1, 650));
  });

  it('resumes after the number that a client holds', async () => {
    const store = new Store();
    store.append(20);
    const reader = new StreamReader(store);
    expect((await collect(reader, 15, 5)).seqs).toEqual(range(16, 20));
  });

  it('reads new events once for eight subscribers', async () => {
    const store = new Store();
    const reader = new StreamReader(store);
    const eight = Array.from({ length: 8 }, () => collect(reader, 0, 5));
    await settle();
    const before = store.reads;
    store.append(5);
    reader.wake();
    for (const { seqs } of await Promise.all(eight)) expect(seqs).toEqual(range(1, 5));
    expect(store.reads - before).toBeLessThanOrEqual(2);
    expect(reader.size).toBe(0);
  });

  it('starts once: a late answer about the newest number skips nothing for those who joined before', async () => {
    const store = new Store();
    let open: () => void = () => {};
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    const head = store.head.bind(store);
    let asked = 0;
    store.head = async () => {
      if (++asked === 2) await opened;
      return head();
    };
    const reader = new StreamReader(store);
    const both = [collect(reader, 0, 1), collect(reader, 0, 1)];
    await settle();
    // Appended, and nobody was told yet when the late answer comes.
    store.append(1);
    open();
    await settle();
    reader.wake();
    for (const { seqs } of await Promise.all(both)) expect(seqs).toEqual([1]);
  });

  it('closes a subscriber that is too far behind, with a reason that clients resume from', async () => {
    const store = new Store();
    const reader = new StreamReader(store);
    const slow = reader.subscribe(0, new AbortController().signal);
    const first = slow.next();
    await settle();
    store.append(1);
    reader.wake();
    expect(((await first).value as Extract<StreamMessage, { type: 'events' }>).events).toHaveLength(1);
    store.append(MAX_BEHIND + 1);
    reader.wake();
    await settle();
    await expect(slow.next()).rejects.toMatchObject({ code: 'unavailable' });
    expect(reader.size).toBe(0);
  });

  it('says so when the stream was shortened behind a client, or is another one', async () => {
    const store = new Store();
    store.append(10);
    store.events = store.events.filter((event) => event.seq > 4);
    const reader = new StreamReader(store);
    expect(await collect(reader, 2, 1)).toEqual({ seqs: [], resets: [10] });
    expect(await collect(reader, 99, 1)).toEqual({ seqs: [], resets: [10] });
    expect((await collect(reader, 4, 6)).seqs).toEqual(range(5, 10));
  });

  it('ends when its client leaves', async () => {
    const reader = new StreamReader(new Store());
    const controller = new AbortController();
    const next = reader.subscribe(0, controller.signal).next();
    await settle();
    controller.abort();
    expect((await next).done).toBe(true);
    expect(reader.size).toBe(0);
  });
});

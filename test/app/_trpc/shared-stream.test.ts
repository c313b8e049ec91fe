import { beforeEach, describe, expect, it } from 'vitest';
import { type StreamHost, type StreamStatus, shareStream, type Upstream } from '@/app/_trpc/shared-stream';

/** Tabs of one browser: a lock with a queue, and channels that reach every other tab. */
class Browser {
  private readonly channels = new Set<{ onmessage: ((event: MessageEvent) => void) | null }>();
  private holder: object | null = null;
  private readonly queue: { start: () => void; token: object }[] = [];

  tab(withLocks = true) {
    const listeners = new Set<() => void>();
    let hidden = false;
    const host: StreamHost = {
      locks: withLocks ? { request: this.request as LockManager['request'] } : null,
      channel: () => {
        const channel = {
          onmessage: null as ((event: MessageEvent) => void) | null,
          postMessage: (data: unknown) => {
            for (const other of this.channels) if (other !== channel) other.onmessage?.({ data } as MessageEvent);
          },
          close: () => this.channels.delete(channel),
        };
        this.channels.add(channel);
        return channel;
      },
      hidden: () => hidden,
      onVisibility: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    };
    const show = (visible: boolean) => {
      hidden = !visible;
      for (const listener of listeners) listener();
    };
    return { host, show };
  }

  private readonly request = (_name: string, options: { signal: AbortSignal }, hold: () => Promise<void>) =>
    new Promise<void>((resolve, reject) => {
      const token = {};
      const start = () => {
        this.holder = token;
        void hold().then(() => {
          this.holder = null;
          this.queue.shift()?.start();
          resolve();
        });
      };
      if (!this.holder) return start();
      this.queue.push({ start, token });
      options.signal.addEventListener('abort', () => {
        const place = this.queue.findIndex((entry) => entry.token === token);
        if (place < 0) return;
        this.queue.splice(place, 1);
        reject(new DOMException('aborted', 'AbortError'));
      });
    });
}

const settle = () => new Promise((resolve) => setTimeout(resolve, 0));

/** A tab that follows the stream; `open` counts the streams that it holds and remembers the way in. */
function follower(browser: Browser, withLocks = true) {
  const { host, show } = browser.tab(withLocks);
  const tab = { seen: [] as number[], status: [] as StreamStatus[], open: 0, up: null as Upstream<number> | null };
  const stop = shareStream<number>(
    'test',
    (up) => {
      tab.open += 1;
      tab.up = up;
      up.status('live');
      return () => {
        tab.open -= 1;
        tab.up = null;
      };
    },
    { data: (value) => tab.seen.push(value), status: (next) => tab.status.push(next) },
    host,
  );
  return { tab, show, stop };
}

describe('one stream for all tabs', () => {
  let browser = new Browser();
  beforeEach(() => {
    browser = new Browser();
  });

  it('is opened by one of eight tabs and reaches all of them', async () => {
    const tabs = Array.from({ length: 8 }, () => follower(browser));
    expect(tabs.map((t) => t.tab.open)).toEqual([1, 0, 0, 0, 0, 0, 0, 0]);
    tabs[0]?.tab.up?.data(7);
    await settle();
    expect(tabs.map((t) => t.tab.seen)).toEqual(Array(8).fill([7]));
    expect(tabs.map((t) => t.tab.status.at(-1))).toEqual(Array(8).fill('live'));
  });

  it('passes to the next tab when the one that holds it is hidden or closed', async () => {
    const [a, b, c] = [follower(browser), follower(browser), follower(browser)];
    a.show(false);
    await settle();
    expect([a, b, c].map((t) => t.tab.open)).toEqual([0, 1, 0]);
    expect(a.tab.status.at(-1)).toBe('paused');
    b.stop();
    await settle();
    expect([a, b, c].map((t) => t.tab.open)).toEqual([0, 0, 1]);
    c.tab.up?.data(3);
    expect(a.tab.seen).toEqual([3]);
  });

  it('is closed while no tab is visible, and opened again by the first that is', async () => {
    const [a, b] = [follower(browser), follower(browser)];
    a.show(false);
    b.show(false);
    await settle();
    expect([a.tab.open, b.tab.open]).toEqual([0, 0]);
    b.show(true);
    await settle();
    expect([a.tab.open, b.tab.open]).toEqual([0, 1]);
  });

  it('tells every visible tab that the connection was lost', () => {
    const [a, b] = [follower(browser), follower(browser)];
    a.tab.up?.status('reconnecting');
    expect([a.tab.status.at(-1), b.tab.status.at(-1)]).toEqual(['reconnecting', 'reconnecting']);
  });

  it('is opened by each tab where the browser has no locks', () => {
    const [a, b] = [follower(browser, false), follower(browser, false)];
    expect([a.tab.open, b.tab.open]).toEqual([1, 1]);
    a.stop();
    expect([a.tab.open, b.tab.open]).toEqual([0, 1]);
  });
});

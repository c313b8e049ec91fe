export type StreamStatus = 'connecting' | 'live' | 'reconnecting' | 'paused';

export interface Upstream<T> {
  data(value: T): void;
  status(status: StreamStatus): void;
}

/** The browser's parts that it uses, so that a test can stand in for them. */
export interface StreamHost {
  locks: Pick<LockManager, 'request'> | null;
  channel(name: string): Pick<BroadcastChannel, 'postMessage' | 'close'> & {
    onmessage: ((event: MessageEvent) => void) | null;
  };
  hidden(): boolean;
  onVisibility(listener: () => void): () => void;
}

export const browserHost = (): StreamHost => ({
  // Absent on plain http from another machine: each tab then opens a stream of its own.
  locks: typeof navigator.locks === 'undefined' ? null : navigator.locks,
  channel: (name) => new BroadcastChannel(name),
  hidden: () => document.visibilityState === 'hidden',
  onVisibility: (listener) => {
    document.addEventListener('visibilitychange', listener);
    return () => document.removeEventListener('visibilitychange', listener);
  },
});

type Message<T> = { kind: 'data'; value: T } | { kind: 'status'; status: StreamStatus } | { kind: 'ask' };

/** Runs `begin` once the lock is ours (at once where there are no locks). Answers how to end it or to stop waiting. */
function whileMine(locks: StreamHost['locks'], name: string, begin: () => () => void): () => void {
  const abort = new AbortController();
  let end: (() => void) | null = null;
  const hold = () =>
    new Promise<void>((release) => {
      if (abort.signal.aborted) return release();
      const close = begin();
      end = () => {
        close();
        release();
      };
    });
  if (!locks) void hold();
  else {
    // Aborting a request that still waits rejects it: that is how a hidden tab leaves the queue.
    locks.request(name, { signal: abort.signal }, hold).catch((error: unknown) => {
      if (!abort.signal.aborted) throw error;
    });
  }
  return () => {
    abort.abort();
    end?.();
    end = null;
  };
}

/**
 * One stream for all tabs of this browser: a visible tab that holds the lock opens it and passes on what arrives, since
 * a browser keeps six connections a host over HTTP/1.1. A hidden tab gives the lock back; the next visible one takes
 * over where it stands itself, so `open` must resume from what its own tab has seen.
 */
export function shareStream<T>(
  name: string,
  open: (up: Upstream<T>) => () => void,
  listener: Upstream<T>,
  host: StreamHost = browserHost(),
): () => void {
  const channel = host.channel(`inferloom:${name}`);
  const post = (message: Message<T>) => channel.postMessage(message);
  let status: StreamStatus = 'connecting';
  let leave: (() => void) | null = null;
  let leading = false;
  const setStatus = (next: StreamStatus) => {
    status = next;
    listener.status(next);
  };

  channel.onmessage = ({ data }: MessageEvent<Message<T>>) => {
    if (data.kind === 'data') listener.data(data.value);
    else if (data.kind === 'ask') {
      if (leading) post({ kind: 'status', status });
    } else if (!leading && !host.hidden()) setStatus(data.status);
  };

  const lead = () =>
    open({
      data: (value) => {
        listener.data(value);
        post({ kind: 'data', value });
      },
      status: (next) => {
        setStatus(next);
        post({ kind: 'status', status: next });
      },
    });

  const enter = () => {
    setStatus('connecting');
    leave = whileMine(host.locks, `inferloom:${name}`, () => {
      leading = true;
      const close = lead();
      return () => {
        leading = false;
        close();
      };
    });
    if (!leading) post({ kind: 'ask' });
  };

  const follow = () => {
    if (host.hidden()) {
      leave?.();
      leave = null;
      setStatus('paused');
    } else if (!leave) enter();
  };
  const stop = host.onVisibility(follow);
  follow();
  return () => {
    stop();
    leave?.();
    channel.close();
  };
}

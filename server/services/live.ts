import { AppError } from '../errors';
import { readEvents } from './events';
import { startListener } from './listener';
import { type Nudge, TOPICS } from './nudges';
import type { Scope } from './scope';
import { type EventSource, type StreamMessage, StreamReader } from './stream-reader';

type NudgeSink = (nudge: Nudge) => void;

/** One listener and one reader a stream for the process. */
interface LiveState {
  listener: { stop(): Promise<void> } | null;
  readers: Map<string, StreamReader>;
  teams: Map<string, Set<NudgeSink>>;
  closers: Set<(reason: string) => void>;
}

const singletons = globalThis as typeof globalThis & { inferloomLive?: LiveState };

function live(): LiveState {
  singletons.inferloomLive ??= { listener: null, readers: new Map(), teams: new Map(), closers: new Set() };
  const state = singletons.inferloomLive;
  state.listener ??= startListener({
    onStream: (streamId) => state.readers.get(streamId)?.wake(),
    onNudge: (teamId, nudge) => {
      for (const sink of state.teams.get(teamId) ?? []) sink(nudge);
    },
    onConnect: () => {
      for (const reader of state.readers.values()) reader.wake();
      for (const sinks of state.teams.values())
        for (const sink of sinks) for (const topic of TOPICS) sink({ topic, id: null });
    },
  });
  return state;
}

function sourceOf(scope: Scope, streamId: string): EventSource {
  return {
    head: async () => {
      const stream = await scope.db.stream.findFirst({ where: { id: streamId }, select: { seq: true } });
      return stream?.seq ?? 0;
    },
    after: (seq, limit) => readEvents(scope.db, scope.teamId, streamId, seq, limit),
  };
}

/** Events of an experiment after a number, for as long as the signal lasts. */
export async function* watchExperiment(
  scope: Scope,
  experimentId: string,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<StreamMessage> {
  const stream = await scope.db.stream.findFirst({ where: { experimentId }, select: { id: true } });
  if (!stream) throw new AppError('not-found', 'No such experiment.');
  const { readers } = live();
  const reader = readers.get(stream.id) ?? new StreamReader(sourceOf(scope, stream.id));
  readers.set(stream.id, reader);
  try {
    yield* reader.subscribe(after, signal);
  } finally {
    if (reader.size === 0) readers.delete(stream.id);
  }
}

/** Team-wide changes as they commit: ids only, so that a page fetches again what it shows. */
export async function* watchTeam(scope: Scope, signal: AbortSignal): AsyncGenerator<Nudge> {
  const state = live();
  const queue: Nudge[] = [];
  let closed: AppError | null = null;
  let wakeUp: () => void = () => {};
  const sink: NudgeSink = (nudge) => {
    if (!queue.some((waiting) => waiting.topic === nudge.topic && waiting.id === nudge.id)) queue.push(nudge);
    wakeUp();
  };
  const close = (reason: string): void => {
    closed = new AppError('unavailable', reason);
    wakeUp();
  };
  const onAbort = (): void => wakeUp();
  const sinks = state.teams.get(scope.teamId) ?? new Set<NudgeSink>();
  state.teams.set(scope.teamId, sinks.add(sink));
  state.closers.add(close);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    while (!signal.aborted) {
      if (closed) throw closed;
      const next = queue.shift();
      if (next) {
        yield next;
        continue;
      }
      await new Promise<void>((resolve) => {
        wakeUp = resolve;
        if (signal.aborted || closed || queue.length > 0) resolve();
      });
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
    state.closers.delete(close);
    sinks.delete(sink);
    if (sinks.size === 0) state.teams.delete(scope.teamId);
  }
}

/** How many subscribers and readers this process serves. */
export function liveCounts(): { readers: number; subscribers: number } {
  const readers = [...(singletons.inferloomLive?.readers.values() ?? [])];
  return { readers: readers.length, subscribers: readers.reduce((sum, reader) => sum + reader.size, 0) };
}

/** Ends every subscription (clients resume elsewhere) and the listener. */
export async function closeLive(reason = 'The server restarts.'): Promise<void> {
  const state = singletons.inferloomLive;
  if (!state) return;
  for (const reader of state.readers.values()) reader.closeAll(reason);
  for (const close of state.closers) close(reason);
  await state.listener?.stop();
  state.listener = null;
}

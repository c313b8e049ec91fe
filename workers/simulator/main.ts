import { NO_FAULTS } from './faults';
import { startSimulator } from './simulator';
import type { WriteLogEntry } from './write-log';

/** What the simulator's process is told. Losing the channel means: stop. */
export type ToSimulator = { kind: 'start'; ttftMs: number; itlMs: number; concurrency: number } | { kind: 'end' };
export type FromSimulator = { kind: 'ready' } | { kind: 'url'; url: string } | { kind: 'log'; log: WriteLogEntry[] };

/** A simulator in a process of its own, so that its writes and the client's stamps do not share an event loop. */
const tell = (message: FromSimulator): void => {
  if (process.connected) process.send?.(message);
};
const log: WriteLogEntry[] = [];

process.on('message', (message: ToSimulator) => {
  if (message.kind === 'end') return tell({ kind: 'log', log });
  const { ttftMs, itlMs, concurrency } = message;
  const onEntry = (entry: WriteLogEntry): void => {
    log.push(entry);
  };
  void startSimulator({ ttftMs, itlMs, concurrency, faults: NO_FAULTS, port: 0, keepLog: false, onEntry }).then(
    ({ url }) => tell({ kind: 'url', url }),
  );
});
process.on('disconnect', () => process.exit(0));
tell({ kind: 'ready' });

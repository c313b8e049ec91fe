import type { Pipeline } from '@/server/core/pipeline/document';

/** What the server holds, where someone else saved in between. */
export interface Theirs {
  revision: number;
  document: Pipeline;
  updatedBy: string | null;
  updatedAt: Date;
}

export type SaveOutcome =
  | { kind: 'saved'; revision: number; at: Date }
  | { kind: 'conflict'; theirs: Theirs }
  | { kind: 'offline' }
  | { kind: 'refused'; message: string };

export type SaveState =
  | { kind: 'saved'; at: Date }
  | { kind: 'pending' }
  | { kind: 'saving' }
  | { kind: 'offline' }
  | { kind: 'refused'; message: string }
  | { kind: 'conflict'; theirs: Theirs };

export interface AutosaverOptions {
  revision: number;
  savedAt: Date;
  save(document: Pipeline, revision: number): Promise<SaveOutcome>;
  onState(state: SaveState): void;
  /** Quiet time after an edit before it is saved, ms. */
  delayMs: number;
  /** Time between tries while the server cannot be reached, ms. */
  retryMs: number;
}

export interface Autosaver {
  edit(document: Pipeline): void;
  /** Saves what waits now; true once everything is on the server. */
  flush(): Promise<boolean>;
  /** After a conflict: from which revision on the next save counts. `document` null: theirs was taken. */
  resolve(revision: number, document: Pipeline | null): void;
  hasUnsaved(): boolean;
  revision(): number;
  dispose(): void;
}

/**
 * Saves by compare-and-set, one request at a time; an edit during a request is saved after it. A conflict stops
 * saving until someone decides; a lost connection is tried again.
 */
export function createAutosaver(options: AutosaverOptions): Autosaver {
  let { revision } = options;
  let unsaved: Pipeline | null = null;
  let running: Promise<boolean> | null = null;
  let blocked = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const later = (ms: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => void flush(), ms);
  };

  const settle = (document: Pipeline, outcome: SaveOutcome): boolean => {
    if (outcome.kind === 'saved') {
      revision = outcome.revision;
      if (unsaved === document) unsaved = null;
      options.onState(unsaved ? { kind: 'pending' } : { kind: 'saved', at: outcome.at });
      return true;
    }
    if (outcome.kind === 'conflict') blocked = true;
    if (outcome.kind === 'offline') later(options.retryMs);
    options.onState(outcome);
    return false;
  };

  const saveAll = async (): Promise<boolean> => {
    while (unsaved && !blocked) {
      const document = unsaved;
      options.onState({ kind: 'saving' });
      if (!settle(document, await options.save(document, revision))) return false;
    }
    return unsaved === null;
  };

  const flush = (): Promise<boolean> => {
    clearTimeout(timer);
    running ??= saveAll().finally(() => {
      running = null;
    });
    return running;
  };

  return {
    edit(document) {
      unsaved = document;
      if (blocked) return;
      if (!running) options.onState({ kind: 'pending' });
      later(options.delayMs);
    },
    flush,
    resolve(next, document) {
      revision = next;
      blocked = false;
      unsaved = document;
      if (document) void flush();
      else options.onState({ kind: 'saved', at: new Date() });
    },
    hasUnsaved: () => unsaved !== null,
    revision: () => revision,
    dispose: () => clearTimeout(timer),
  };
}

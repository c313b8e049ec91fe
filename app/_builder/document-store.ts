import { temporal } from 'zundo';
import { createStore } from 'zustand/vanilla';
import type { Pipeline } from '@/server/core/pipeline/document';
import type { BuilderAction } from './actions/action';

/** Edits of one field within this time are one undo step, ms. */
const COALESCE_MS = 1000;
const UNDO_STEPS = 200;

export interface DocumentState {
  pipeline: Pipeline;
  /** Label of the edit that made this state; null for the state that was loaded. */
  madeBy: string | null;
}

const createTrackedStore = (pipeline: Pipeline) =>
  createStore<DocumentState>()(
    temporal(() => ({ pipeline, madeBy: null as string | null }), {
      limit: UNDO_STEPS,
      equality: (past, current) => past.pipeline === current.pipeline,
    }),
  );

export type TrackedStore = ReturnType<typeof createTrackedStore>;

export interface DocumentStore {
  store: TrackedStore;
  /** Applies an edit; false where it changed nothing. */
  dispatch<Args>(action: BuilderAction<Args>, args: Args): boolean;
  undo(): void;
  redo(): void;
}

/** The document with its undo history. `now` is a monotonic clock in ms. */
export function createDocumentStore(initial: Pipeline, now: () => number = () => performance.now()): DocumentStore {
  const store = createTrackedStore(initial);
  let lastKey: string | null = null;
  let lastAt = Number.NEGATIVE_INFINITY;

  const dispatch = <Args>(action: BuilderAction<Args>, args: Args): boolean => {
    const before = store.getState().pipeline;
    const pipeline = action.apply(before, args);
    if (pipeline === before) return false;
    const key = action.coalesceKey ? `${action.id} ${action.coalesceKey(args)}` : null;
    const at = now();
    const joins = key !== null && key === lastKey && at - lastAt <= COALESCE_MS;
    lastKey = key;
    lastAt = at;
    const history = store.temporal.getState();
    if (joins) history.pause();
    store.setState({ pipeline, madeBy: action.label });
    if (joins) history.resume();
    return true;
  };

  const travel = (go: () => void) => {
    lastKey = null;
    go();
  };
  return {
    store,
    dispatch,
    undo: () => travel(() => store.temporal.getState().undo()),
    redo: () => travel(() => store.temporal.getState().redo()),
  };
}

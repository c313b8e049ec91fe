import type { Pipeline } from '@/server/core/pipeline/document';

/** One edit that a user can make: pure, undoable, named. */
export interface BuilderAction<Args> {
  id: string;
  /** What undo and the key list call it. */
  label: string;
  /** Keys that start it, as shown to people; null where it has none. */
  shortcut: string | null;
  /**
   * Edits with the same key within a second are one undo step (typing into a field). Null: a step of its own.
   */
  coalesceKey: ((args: Args) => string) | null;
  /** Gives the changed document, or the very same object where nothing changes. */
  apply(pipeline: Pipeline, args: Args): Pipeline;
}

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createAutosaver, type SaveOutcome, type SaveState } from '@/app/_builder/save/autosaver';
import type { Pipeline } from '@/server/core/pipeline/document';
import { small } from '../fixtures';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const at = new Date(Date.UTC(2026, 0, 1));

/** A server that answers by a list, then always with the next revision. */
function setUp(outcomes: SaveOutcome[] = []) {
  const states: SaveState['kind'][] = [];
  const saved: { document: Pipeline; revision: number }[] = [];
  const saver = createAutosaver({
    revision: 1,
    savedAt: at,
    delayMs: 700,
    retryMs: 4000,
    onState: (state) => states.push(state.kind),
    save: async (document, revision) => {
      saved.push({ document, revision });
      return outcomes.shift() ?? { kind: 'saved', revision: revision + 1, at };
    },
  });
  return { saver, states, saved };
}

describe('autosave', () => {
  it('waits for a pause, saves the last edit once, counts revisions', async () => {
    const { saver, saved, states } = setUp();
    const edits = [small(), small(), small()];
    for (const edit of edits) saver.edit(edit);
    await vi.advanceTimersByTimeAsync(699);
    expect(saved).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(saved).toEqual([{ document: edits[2], revision: 1 }]);
    expect(saver.hasUnsaved()).toBe(false);
    saver.edit(small());
    await vi.advanceTimersByTimeAsync(700);
    expect(saved[1]?.revision).toBe(2);
    expect(states.at(-1)).toBe('saved');
  });

  it('saves an edit that came during a request after it, never two at a time', async () => {
    const { saver, saved } = setUp();
    saver.edit(small());
    const done = saver.flush();
    const second = small();
    saver.edit(second);
    expect(await done).toBe(true);
    expect(saved.map((one) => one.revision)).toEqual([1, 2]);
    expect(saved[1]?.document).toBe(second);
  });

  it('keeps the edit while offline and tries again', async () => {
    const { saver, saved, states } = setUp([{ kind: 'offline' }]);
    saver.edit(small());
    expect(await saver.flush()).toBe(false);
    expect(states.at(-1)).toBe('offline');
    expect(saver.hasUnsaved()).toBe(true);
    await vi.advanceTimersByTimeAsync(4000);
    expect(saved).toHaveLength(2);
    expect(saver.hasUnsaved()).toBe(false);
  });

  it('stops at a conflict until someone decides; keeping mine saves over the new revision', async () => {
    const theirs = { revision: 7, document: small(), updatedBy: 'Grace', updatedAt: at };
    const { saver, saved, states } = setUp([{ kind: 'conflict', theirs }]);
    saver.edit(small());
    expect(await saver.flush()).toBe(false);
    const later = small();
    saver.edit(later);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(saved).toHaveLength(1);
    expect(states.at(-1)).toBe('conflict');
    saver.resolve(theirs.revision, later);
    await vi.advanceTimersByTimeAsync(0);
    expect(saved[1]).toEqual({ document: later, revision: 7 });
    expect(saver.revision()).toBe(8);
  });

  it('taking theirs leaves nothing to save', async () => {
    const theirs = { revision: 7, document: small(), updatedBy: null, updatedAt: at };
    const { saver, saved } = setUp([{ kind: 'conflict', theirs }]);
    saver.edit(small());
    await saver.flush();
    saver.resolve(theirs.revision, null);
    expect(await saver.flush()).toBe(true);
    expect(saved).toHaveLength(1);
    expect(saver.revision()).toBe(7);
  });

  it('says why the server refused and keeps the edit', async () => {
    const { saver, states } = setUp([{ kind: 'refused', message: 'too large' }]);
    saver.edit(small());
    expect(await saver.flush()).toBe(false);
    expect(states.at(-1)).toBe('refused');
    expect(saver.hasUnsaved()).toBe(true);
  });
});

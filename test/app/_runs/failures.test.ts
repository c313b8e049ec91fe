import { describe, expect, it } from 'vitest';
import { type FailureSource, failuresOf } from '@/app/_runs/failures';
import { emptyLiveState, emptyTrial, type LiveTrial } from '@/app/_runs/live-state';

const cause = { code: 'out-of-memory', message: 'no memory left', nodeId: 'kv', field: 'type', logTail: [] };
const failed = (id: string, block: number, fields: Partial<LiveTrial> = {}): LiveTrial => ({
  ...emptyTrial(id),
  arm: 1,
  block,
  state: 'failed',
  cause,
  ...fields,
});
const live = (...trials: LiveTrial[]) => ({
  ...emptyLiveState(),
  trials: Object.fromEntries(trials.map((t) => [t.id, t])),
});
const source = (blocks: FailureSource['blocks'] = []): FailureSource => ({
  spec: { arms: [{ label: 'F16' }, { label: 'Q8_0' }] },
  blocks,
});

describe('failures', () => {
  it('say one cause of one plan once, with its blocks', () => {
    const found = failuresOf(source(), live(failed('a', 0), failed('b', 2)));
    expect(found.map((f) => [f.title, f.cause.nodeId, f.block])).toEqual([['Q8_0 failed in block 1, 3.', 'kv', 0]]);
  });

  it('leave out what was run again', () => {
    expect(failuresOf(source(), live(failed('a', 0, { superseded: true })))).toEqual([]);
  });

  it('name a block that failed as a whole, unless a trial of it already says why', () => {
    const blocks = [
      { index: 0, state: 'failed' as const, cause },
      { index: 1, state: 'failed' as const, cause: { ...cause, nodeId: null, message: 'the worker was lost' } },
    ];
    const found = failuresOf(source(blocks), live(failed('a', 0)));
    expect(found.map((f) => f.title)).toEqual(['Q8_0 failed in block 1.', 'Failed: block 2.']);
  });
});

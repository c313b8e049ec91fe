import { describe, expect, it } from 'vitest';
import { applyEvents, applySnapshot, emptyLiveState } from '@/app/_runs/live-state';
import { liveStateOf, type SnapshotSource } from '@/app/_runs/snapshot';
import { oneTrial } from '../../fixtures/stream-events';

const at = (second: number) => new Date(Date.UTC(2026, 11, 1, 12, 0, second));
const view = (fields: Partial<SnapshotSource['trials'][number]> = {}): SnapshotSource['trials'][number] => ({
  id: 't1',
  arm: 1,
  block: 0,
  attempt: 2,
  state: 'measuring',
  superseded: false,
  valid: null,
  worker: 'host-a',
  effective: [],
  outcome: null,
  startedAt: at(5),
  finishedAt: null,
  ...fields,
});

describe('a snapshot', () => {
  it('becomes a live state that the stream goes on from', () => {
    const state = liveStateOf({ state: 'running', lastSeq: 40, trials: [view(), view({ id: 't2', startedAt: null })] });
    expect(state).toMatchObject({ lastSeq: 40, experiment: { state: 'running' }, lastEventAt: at(5).toISOString() });
    expect(state.trials.t1).toMatchObject({ arm: 1, attempt: 2, state: 'measuring', startedAt: at(5).toISOString() });
    expect(state.trials.t2?.startedAt).toBeNull();
  });

  it('never makes the page look less up to date than its stream', () => {
    const streamed = applyEvents(emptyLiveState(), oneTrial());
    const merged = applySnapshot(streamed, liveStateOf({ state: 'running', lastSeq: 12, trials: [view()] }));
    expect(merged.lastSeq).toBe(12);
    expect(merged.lastEventAt).toBe(streamed.lastEventAt);
  });

  it('knows nothing of an experiment that has not begun', () => {
    const state = liveStateOf({ state: 'queued', lastSeq: 0, trials: [view({ startedAt: null, state: 'queued' })] });
    expect(state.lastEventAt).toBeNull();
  });
});

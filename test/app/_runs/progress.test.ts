import { describe, expect, it } from 'vitest';
import { applyEvents, emptyLiveState, emptyTrial, type LiveTrial } from '@/app/_runs/live-state';
import { progressOf, progressText } from '@/app/_runs/progress';
import { oneTrial } from '../../fixtures/stream-events';

const START = Date.UTC(2026, 11, 1, 12);
const at = (s: number) => new Date(START + s * 1000).toISOString();
const trial = (id: string, fields: Partial<LiveTrial>): LiveTrial => ({
  ...emptyTrial(id),
  arm: 0,
  block: 0,
  ...fields,
});
const state = (trials: LiveTrial[]) => ({
  ...emptyLiveState(),
  experiment: { state: 'running' as const, detail: null },
  trials: Object.fromEntries(trials.map((t) => [t.id, t])),
});
const plan = { arms: 5, blocks: 3 };

describe('progress', () => {
  it('counts trials that ended and count, and tells the time left from those that ended', () => {
    const live = state([
      trial('a', { state: 'succeeded', startedAt: at(0), endedAt: at(10) }),
      trial('b', { state: 'lost', superseded: true }),
      trial('c', { state: 'measuring', startedAt: at(10), block: 0 }),
      trial('d', { state: 'claimed', block: 0 }),
      trial('e', { state: 'queued', block: 1 }),
    ]);
    const progress = progressOf(live, plan, START + 14_000);
    expect(progress).toMatchObject({ ended: 1, planned: 15, block: 1, blocks: 3, secondsLeft: 136 });
    expect(progress.current?.id).toBe('c');
    expect(progressText(live, progress)).toBe('running, block 1 of 3, 1 of 15 trials');
  });

  it('names no time left before a trial has ended, and never less than nothing', () => {
    expect(progressOf(state([trial('c', { state: 'warming', startedAt: at(0) })]), plan, START).secondsLeft).toBeNull();
    const late = state([
      trial('a', { state: 'succeeded', startedAt: at(0), endedAt: at(10) }),
      trial('c', { state: 'measuring', startedAt: at(10) }),
    ]);
    expect(progressOf(late, { arms: 2, blocks: 1 }, START + 900_000).secondsLeft).toBe(0);
  });

  it('takes start and end from the events', () => {
    const live = applyEvents(emptyLiveState(), oneTrial());
    expect(live.trials.t1).toMatchObject({ startedAt: at(2), endedAt: at(9) });
    expect(progressOf(live, { arms: 1, blocks: 2 }, START).secondsLeft).toBe(7);
  });

  it('says that it waits for a worker, or how it ended', () => {
    const queued = emptyLiveState();
    expect(progressText(queued, progressOf(queued, plan, START))).toBe('queued: waits for a worker, 0 of 15 trials');
    const ended = { ...queued, experiment: { state: 'cancelled' as const, detail: null } };
    expect(progressText(ended, progressOf(ended, plan, START))).toBe('cancelled, 0 of 15 trials');
  });
});

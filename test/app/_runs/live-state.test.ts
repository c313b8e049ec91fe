import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addSeconds,
  applyEvents,
  applySnapshot,
  emptyLiveState,
  emptyTrial,
  gapOf,
  mergeSeconds,
  seriesKey,
} from '@/app/_runs/live-state';
import { oneTrial, secondRow, streamOf, trialBody } from '../../fixtures/stream-events';

const events = oneTrial();
const complete = applyEvents(emptyLiveState(), events);
const KEY = seriesKey('chat', 0);

describe('events of a stream', () => {
  it('build the trial: phases, seconds, effective rows, outcome', () => {
    const trial = complete.trials.t1;
    expect(complete.lastSeq).toBe(10);
    expect(complete.experiment.state).toBe('running');
    expect(trial?.state).toBe('succeeded');
    expect(trial?.valid).toBe(true);
    expect(trial?.phases.map((p) => p.phase)).toEqual(['starting', 'measuring']);
    expect(trial?.seconds[KEY]?.map((r) => r.t)).toEqual([0, 1, 2]);
    expect(trial?.effective).toHaveLength(2);
    expect(trial?.logTail).toEqual(['llama_model_loader: loaded']);
  });

  it('give the same state in any order, cut into any batches, with any repeats', () => {
    const order = fc.shuffledSubarray(events, { minLength: events.length });
    fc.assert(
      fc.property(
        order,
        fc.array(fc.nat(events.length - 1)),
        fc.integer({ min: 1, max: 5 }),
        (shuffled, again, size) => {
          const sent = [...shuffled, ...again.flatMap((i) => events[i] ?? [])];
          let state = emptyLiveState();
          for (let i = 0; i < sent.length; i += size) state = applyEvents(state, sent.slice(i, i + size));
          expect(state).toEqual(complete);
        },
      ),
      { seed: 7, numRuns: 60 },
    );
  });

  it('hold what comes after a gap, name the gap, and catch up when it closes', () => {
    const without5 = applyEvents(
      emptyLiveState(),
      events.filter((e) => e.seq !== 5),
    );
    expect(without5.lastSeq).toBe(4);
    expect(gapOf(without5)).toEqual({ from: 5, to: 5 });
    expect(without5.trials.t1?.valid).toBeNull();
    const closed = applyEvents(without5, events.slice(4, 5));
    expect(gapOf(closed)).toBeNull();
    expect(closed).toEqual(complete);
  });

  it('resume after a snapshot: what the snapshot holds already is not applied twice', () => {
    const half = applyEvents(emptyLiveState(), events.slice(0, 6));
    const resumed = applyEvents(half, events.slice(2));
    expect(resumed).toEqual(complete);
    expect(resumed.trials.t1?.phases).toHaveLength(2);
  });

  it('do not change the object when nothing is new', () => {
    expect(applyEvents(complete, events)).toBe(complete);
  });

  it('never revive a trial that has ended', () => {
    const late = { ...streamOf([['t1', { kind: 'phase', phase: 'stopping', detail: null }]])[0], seq: 11 } as never;
    expect(applyEvents(complete, [late]).trials.t1?.state).toBe('succeeded');
  });

  it('mark a trial of a lost block as superseded', () => {
    const lost = applyEvents(complete, [
      { seq: 11, at: '2026-12-01T12:01:00Z', trialId: 't1', body: trialBody({ state: 'lost', superseded: true }) },
    ]);
    expect(lost.trials.t1).toMatchObject({ state: 'lost', superseded: true });
  });
});

describe('snapshots', () => {
  it('keep seconds that the server dropped from the stream, and play what was held', () => {
    const held = applyEvents(complete, [
      { seq: 14, at: '2026-12-01T12:01:00Z', trialId: 't2', body: trialBody({ arm: 1 }) },
    ]);
    const snapshot = { ...emptyLiveState(13), trials: { t1: { ...emptyTrial('t1'), arm: 0, block: 0, valid: true } } };
    const state = applySnapshot(held, snapshot);
    expect(state.lastSeq).toBe(14);
    expect(state.trials.t2?.arm).toBe(1);
    expect(state.trials.t1?.seconds[KEY]).toHaveLength(3);
  });

  it('older than the page change nothing', () => {
    expect(applySnapshot(complete, emptyLiveState(3))).toBe(complete);
  });

  it('take stored seconds without losing live ones', () => {
    const state = addSeconds(complete, [
      { trialId: 't1', workload: 'chat', loadIndex: 0, rows: [secondRow(-1), secondRow(0, { outputTokens: 1 })] },
      { trialId: 'unknown', workload: 'chat', loadIndex: 0, rows: [secondRow(0)] },
    ]);
    expect(state.trials.t1?.seconds[KEY]?.map((r) => [r.t, r.outputTokens])).toEqual([
      [-1, 100],
      [0, 100],
      [1, 100],
      [2, 100],
    ]);
    expect(state.trials.unknown).toBeUndefined();
  });

  it('merge rows by second', () => {
    expect(mergeSeconds([secondRow(0), secondRow(2)], [secondRow(1)]).map((r) => r.t)).toEqual([0, 1, 2]);
  });
});

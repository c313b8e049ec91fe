import { describe, expect, it } from 'vitest';
import { applyEvents, emptyLiveState } from '@/app/_runs/live-state';
import { nodeStates } from '@/app/_runs/node-states';
import { oneTrial, streamOf, trialBody } from '../../fixtures/stream-events';

const plans = [{ nodeIds: ['model', 'kv', 'fa'] }, { nodeIds: ['model', 'draft'] }];
const stateOf = (n: number) => nodeStates(applyEvents(emptyLiveState(), oneTrial().slice(0, n)), plans);

describe('node states', () => {
  it('are queued before an arm is claimed and running until the engine is read', () => {
    expect(stateOf(1).get('kv')?.state).toBe('queued');
    expect(stateOf(3).get('kv')).toEqual({ state: 'running', detail: 'starting' });
    expect(stateOf(3).get('draft')?.state).toBe('queued');
  });

  it('say what the engine made of them', () => {
    const states = stateOf(10);
    expect(states.get('kv')).toEqual({ state: 'changed', detail: 'kvCacheKeyType: asked Q4_0, got Q8_0' });
    expect(states.get('fa')?.state).toBe('applied');
  });

  it('blame the node that the cause of a failed launch names', () => {
    const failed = streamOf([
      ['t1', trialBody({ arm: 1 })],
      [
        't1',
        {
          kind: 'outcome',
          state: 'failed',
          valid: false,
          reasons: ['engine did not start'],
          effective: [],
          quality: null,
          findings: [],
          cause: { code: 'oom', message: 'out of memory', nodeId: 'draft', field: 'model', logTail: [] },
        },
      ],
    ]);
    const states = nodeStates(applyEvents(emptyLiveState(), failed), plans);
    expect(states.get('draft')).toEqual({ state: 'failed', detail: 'out of memory' });
    expect(states.get('kv')?.state).toBe('queued');
  });

  it('look at the trial that counts, not at a superseded one', () => {
    const state = applyEvents(emptyLiveState(), [
      ...oneTrial(),
      { seq: 11, at: '2026-12-01T12:01:00Z', trialId: 't1', body: trialBody({ state: 'lost', superseded: true }) },
    ]);
    expect(nodeStates(state, plans).get('kv')?.state).toBe('queued');
  });
});

import { describe, expect, it } from 'vitest';
import { checkPhysics, serviceTtftFloorMs, tpotFloorMs } from '@/server/core/metrics/physics';
import type { PhysicsFacts } from '@/server/core/metrics/physics-input';
import { answered, pointInput } from '@/test/fixtures/request-records';

/** 8 GB of weights at 1 TB/s: 8 ms a token; 16 GFLOP a prompt token at 100 TFLOPS: 16 ms for 100 tokens. */
const facts: PhysicsFacts = {
  weightBytes: 8e9,
  kvBytesPerToken: 0,
  bandwidthBytesPerS: 1e12,
  peakFlops: 100e12,
  flopsPerPromptToken: 16e9,
  devices: 1,
  draftTokens: 0,
};
const input = (shape: Parameters<typeof answered>[1], change: Partial<PhysicsFacts> = {}, rest = {}) =>
  pointInput(
    [0, 500, 1000].map((at) => answered(at, shape, rest)),
    { physics: { facts: { ...facts, ...change }, skipped: null } },
  );

describe('floors', () => {
  it('reads weights and one sequence a step, over all devices', () => {
    expect(tpotFloorMs(facts, 1000, 1)).toBeCloseTo(8, 9);
    expect(tpotFloorMs({ ...facts, kvBytesPerToken: 1e6 }, 1000, 1)).toBeCloseTo(9, 9);
    expect(tpotFloorMs({ ...facts, devices: 4 }, 0, 2)).toBeCloseTo(1, 9);
  });

  it('computes uncached prompt tokens, or one weight pass where the cached ones are unknown', () => {
    expect(serviceTtftFloorMs(facts, 100)).toBeCloseTo(16, 9);
    expect(serviceTtftFloorMs({ ...facts, devices: 2 }, 50)).toBeCloseTo(4, 9);
    expect(serviceTtftFloorMs(facts, null)).toBeCloseTo(8, 9);
    expect(serviceTtftFloorMs({ ...facts, peakFlops: null }, 100)).toBeNull();
  });
});

describe('checkPhysics', () => {
  it('lets pass what the hardware can do, 5 % of slack included', () => {
    const none = { invalid: [], notes: [] };
    expect(checkPhysics(input({ itlMs: 10, ttftMs: 20 }), null, false)).toEqual(none);
    expect(checkPhysics(input({ itlMs: 7.7, ttftMs: 15.3 }), null, false)).toEqual(none);
  });

  it('refuses tokens faster than the weights can be read', () => {
    const { invalid } = checkPhysics(input({ itlMs: 7.5 }), null, false);
    expect(invalid).toEqual([
      'not possible: TPOT p50 7.5 ms, but reading the weights takes 8.0 ms a token on this hardware',
    ]);
  });

  it('grants what a target step emits: reported, or drafted + 1', () => {
    const drafted = { draftTokens: 3 };
    expect(checkPhysics(input({ itlMs: 3 }, drafted), null, false).invalid).toEqual([]);
    expect(checkPhysics(input({ itlMs: 1.5 }, drafted), null, false).invalid).toHaveLength(1);
    expect(checkPhysics(input({ itlMs: 3 }, drafted), 2, false).invalid).toHaveLength(1);
  });

  it('refuses a prefill faster than its arithmetic, unless the prompt was cached', () => {
    expect(checkPhysics(input({ ttftMs: 12 }), null, false).invalid[0]).toContain('service TTFT p50 12 ms');
    expect(checkPhysics(input({ ttftMs: 12 }, {}, { cachedTokens: 90 }), null, false).invalid).toEqual([]);
  });

  it('counts from the sending: a late client makes no fast prefill', () => {
    expect(checkPhysics(input({ ttftMs: 30, lagMs: 20 }), null, false).invalid).toHaveLength(1);
  });

  it('leaves the KV cache out where a prefix is shared', () => {
    const heavy = input({ itlMs: 9 }, { kvBytesPerToken: 1e8 });
    expect(checkPhysics(heavy, null, false).invalid).toHaveLength(1);
    const shared = { ...heavy, workload: { ...heavy.workload, prefixTokens: 50 } };
    expect(checkPhysics(shared, null, false).invalid).toEqual([]);
  });

  it('does not judge TPOT of a bundled stream', () => {
    expect(checkPhysics(input({ itlMs: 1 }), null, true).invalid).toEqual([]);
  });

  it('says what was not checked, and why', () => {
    const skipped = pointInput([answered(0)], {
      physics: { facts: null, skipped: 'the memory bandwidth of x is unknown' },
    });
    expect(checkPhysics(skipped, null, false)).toEqual({
      invalid: [],
      notes: ['not checked against physics: the memory bandwidth of x is unknown'],
    });
    expect(checkPhysics(input({}, { peakFlops: null }), null, false).notes[0]).toContain('service TTFT not checked');
  });
});

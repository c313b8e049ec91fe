import { describe, expect, it } from 'vitest';
import type { Value } from '@/server/core/metrics/value';
import { combineBlocks } from '@/server/core/run/block-values';

const value = (v: number | null, rest: Partial<Value> = {}): Value => ({
  value: v,
  low: null,
  high: null,
  unit: 'ms',
  n: 300,
  interval: null,
  mark: null,
  ...rest,
});
const blocks = (...values: Value[]) => values.map((v, block) => ({ block, metrics: { ttftMsP50: v } }));

describe('combineBlocks', () => {
  it('is the geometric mean with a 95 % t interval over blocks', () => {
    const { ttftMsP50 } = combineBlocks(blocks(value(100), value(110), value(121)));
    expect(ttftMsP50?.value).toBeCloseTo(110, 9);
    // ln 1.1 apart: sd = ln 1.1, t(0.975; 2 df) = 4.303.
    const half = (4.30265 * Math.log(1.1)) / Math.sqrt(3);
    expect(ttftMsP50?.low).toBeCloseTo(110 * Math.exp(-half), 3);
    expect(ttftMsP50?.high).toBeCloseTo(110 * Math.exp(half), 3);
    expect(ttftMsP50).toMatchObject({ n: 3, interval: 'blocks', mark: null });
  });

  it('takes the arithmetic mean where a block has zero', () => {
    expect(combineBlocks(blocks(value(0), value(1))).ttftMsP50?.value).toBe(0.5);
  });

  it('keeps the only block’s own figure and interval', () => {
    const own = value(5, { low: 4, high: 6, interval: 'order-statistic' });
    expect(combineBlocks(blocks(own)).ttftMsP50).toEqual(own);
  });

  it('keeps the reason where no block has a figure, and the marks where some are hollow', () => {
    const none = value(null, { mark: '40 samples; p99 needs 299' });
    expect(combineBlocks(blocks(none, none)).ttftMsP50).toEqual(none);
    const hollow = value(5, { mark: 'only 80 samples' });
    expect(combineBlocks(blocks(hollow, value(6))).ttftMsP50?.mark).toBe('only 80 samples');
    expect(combineBlocks(blocks(value(5), none)).ttftMsP50).toMatchObject({ value: 5, mark: 'one block only' });
  });
});

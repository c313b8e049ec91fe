import { describe, expect, it } from 'vitest';
import { blockOrder, blockSeed } from '@/server/core/run/block-order';

describe('blockOrder', () => {
  it('is a permutation, the same for the same seed and block', () => {
    const order = blockOrder(7, 2, 5);
    expect([...order].sort()).toEqual([0, 1, 2, 3, 4]);
    expect(blockOrder(7, 2, 5)).toEqual(order);
  });

  it('puts each arm first about equally often', () => {
    const first = [0, 0, 0, 0, 0];
    for (let block = 0; block < 5000; block++) {
      const arm = blockOrder(1, block, 5)[0] as number;
      first[arm] = (first[arm] as number) + 1;
    }
    for (const times of first) expect(Math.abs(times - 1000)).toBeLessThan(120);
  });
});

describe('blockSeed', () => {
  it('differs from block to block and from experiment to experiment', () => {
    const seeds = new Set([blockSeed(1, 0), blockSeed(1, 1), blockSeed(2, 0), blockSeed(2, 1)]);
    expect(seeds.size).toBe(4);
  });
});

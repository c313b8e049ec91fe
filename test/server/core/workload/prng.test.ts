import { describe, expect, it } from 'vitest';
import { createPrng } from '@/server/core/workload/prng';

describe('createPrng', () => {
  it('repeats for the same parts and not for others', () => {
    const draw = (...parts: (string | number)[]) => Array.from({ length: 5 }, createPrng(...parts).next);
    expect(draw('a', 1)).toEqual(draw('a', 1));
    expect(draw('a', 1)).not.toEqual(draw('a', 2));
    // Parts are kept apart: "a1" is not "a" and 1.
    expect(draw('a', 1)).not.toEqual(draw('a1'));
  });

  it('is uniform: chi-square over 100 cells of 100,000 draws stays under its 99.9 % limit', () => {
    const prng = createPrng('uniform');
    const cells = new Array<number>(100).fill(0);
    for (let i = 0; i < 100_000; i++) {
      const cell = prng.below(100);
      cells[cell] = (cells[cell] ?? 0) + 1;
    }
    const chi = cells.reduce((sum, k) => sum + (k - 1000) ** 2 / 1000, 0);
    // 99 degrees of freedom.
    expect(chi).toBeLessThan(148.2);
  });
});

import { describe, expect, it } from 'vitest';
import { isStable } from '@/workers/load/warm-up';

describe('isStable', () => {
  it('needs two medians in a row within 5 %', () => {
    expect(isStable([100, 100, 100, 100, 100], 3)).toBe(false);
    expect(isStable([300, 200, 150, 100, 101, 102], 3)).toBe(false);
    expect(isStable([900, 100, 102, 100, 101, 102, 104], 3)).toBe(true);
  });
});

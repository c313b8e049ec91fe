import { describe, expect, it } from 'vitest';
import { draftAllowance, mayEnqueue, pickSlot, planStep, retryAfterS, shiftRange } from '@/workers/embedded/schedule';

describe('pickSlot', () => {
  it('takes the longest cached prefix', () => {
    const free = [
      { id: 0, cachedPrefixTokens: 3, lastUsed: 1 },
      { id: 1, cachedPrefixTokens: 9, lastUsed: 8 },
    ];
    expect(pickSlot(free)?.id).toBe(1);
  });

  it('takes the least recently used one between equals, so that warm caches stay', () => {
    const free = [
      { id: 0, cachedPrefixTokens: 0, lastUsed: 7 },
      { id: 1, cachedPrefixTokens: 0, lastUsed: 2 },
    ];
    expect(pickSlot(free)?.id).toBe(1);
    expect(pickSlot([])).toBeNull();
  });
});

describe('mayEnqueue', () => {
  it('counts only what cannot start at once', () => {
    expect(mayEnqueue(0, 1, 0)).toBe(true);
    expect(mayEnqueue(1, 1, 0)).toBe(false);
    expect(mayEnqueue(3, 0, 4)).toBe(true);
    expect(mayEnqueue(4, 0, 4)).toBe(false);
  });
});

describe('retryAfterS', () => {
  it('grows with the queue and stays within 1 and 60 s', () => {
    expect(retryAfterS(0, 4, 10)).toBe(1);
    expect(retryAfterS(7, 4, 2500)).toBe(5);
    expect(retryAfterS(10_000, 1, 5000)).toBe(60);
  });
});

describe('planStep', () => {
  const slot = (id: number, pendingTokens: number, admittedAt = id): Parameters<typeof planStep>[0][number] => ({
    id,
    pendingTokens,
    admittedAt,
  });

  it('lets streams go on beside one chunk of a long prompt', () => {
    const plan = planStep([slot(0, 1), slot(1, 900), slot(2, 1)], 64);
    expect(Object.fromEntries(plan)).toEqual({ 0: 1, 1: 64, 2: 1 });
  });

  it('shares the chunk between prompts, oldest first', () => {
    const plan = planStep([slot(0, 50, 9), slot(1, 40, 3)], 64);
    expect(Object.fromEntries(plan)).toEqual({ 1: 40, 0: 24 });
  });

  it('makes later prompts wait when the chunk is spent', () => {
    const plan = planStep([slot(0, 500), slot(1, 500), slot(2, 1)], 64);
    expect(Object.fromEntries(plan)).toEqual({ 0: 64, 2: 1 });
  });
});

describe('draftAllowance', () => {
  it('drafts at most k, and never past the output or the context', () => {
    expect(draftAllowance(4, 100, 100)).toBe(4);
    expect(draftAllowance(4, 3, 100)).toBe(2);
    expect(draftAllowance(4, 1, 100)).toBe(0);
    expect(draftAllowance(4, 100, 2)).toBe(1);
    expect(draftAllowance(4, 100, 0)).toBe(0);
  });
});

describe('shiftRange', () => {
  it('drops nothing while there is room', () => {
    expect(shiftRange(10, 1, 11, 4)).toBeNull();
  });

  it('keeps the sinks and drops half of what follows', () => {
    expect(shiftRange(255, 1, 255, 4)).toEqual({ start: 4, end: 4 + 125 });
  });

  it('drops as much as a long prompt chunk needs', () => {
    const range = shiftRange(200, 200, 255, 4);
    expect(range).toEqual({ start: 4, end: 4 + 145 });
  });
});

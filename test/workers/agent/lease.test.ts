import { describe, expect, it } from 'vitest';
import { createLease } from '@/workers/agent/lease';

describe('createLease', () => {
  it('counts from when the request was sent', () => {
    const lease = createLease(1000, 500);
    expect(lease.isHeld(1499)).toBe(true);
    expect(lease.isHeld(1500)).toBe(false);
    expect(lease.leftMs(1200)).toBe(300);
  });
  it('is never shortened by an answer that came late', () => {
    const lease = createLease(0, 500);
    lease.renew(300, 500);
    lease.renew(100, 500);
    expect(lease.leftMs(300)).toBe(500);
  });
});

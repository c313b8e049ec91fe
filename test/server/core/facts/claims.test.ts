import { describe, expect, it } from 'vitest';
import { findNodeType } from '@/server/core/catalog/find-node-type';
import { CLAIMS } from '@/server/core/facts/claims';

describe('the claims ledger', () => {
  it('has unique ids, node types that exist, sources by https', () => {
    expect(new Set(CLAIMS.map((claim) => claim.id)).size).toBe(CLAIMS.length);
    for (const claim of CLAIMS) {
      for (const type of claim.techniques) expect(findNodeType(type), `${claim.id}: ${type}`).not.toBeNull();
      for (const { url } of [...claim.saidBy, ...claim.measured.map((m) => m.source)]) {
        expect(new URL(url).protocol).toBe('https:');
      }
    }
  });

  it.each([
    'fp8-speed',
    'flash-attention-speed',
    'prefix-hits',
    '70b-two-a100',
    'compile-static-cache',
    'int8-everywhere',
  ])('holds %s', (id) => {
    expect(CLAIMS.map((claim) => claim.id)).toContain(id);
  });

  it('says "arithmetic" where nobody measured, and measures what it says holds', () => {
    for (const claim of CLAIMS) {
      if (claim.measured.length === 0) expect(claim.standing).toBe('arithmetic');
      if (claim.standing === 'holds') expect(claim.measured.length).toBeGreaterThan(0);
      expect(claim.note).toMatch(/[.)]$/);
    }
  });

  it('agrees with its own arithmetic', () => {
    const bandwidth = (2 * 72.7e9) / (2 * 2.039e12);
    expect(1 / bandwidth).toBeCloseTo(28, 0);
    const cache = 10 * 32_000 * 131_072;
    expect(cache / (cache + 2 * 8.03e9)).toBeCloseTo(0.72, 2);
  });
});

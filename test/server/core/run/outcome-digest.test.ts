import { describe, expect, it } from 'vitest';
import { outcomeDigest } from '@/server/core/run/outcome-digest';
import type { TrialOutcome } from '@/server/core/run/trial';

const outcome: TrialOutcome = {
  state: 'failed',
  valid: false,
  reasons: ['the engine ended'],
  points: [],
  effective: [],
  quality: null,
  engineStartMs: 12.5,
  peakMemoryBytes: null,
  findings: [],
  cause: null,
  command: ['engine', '--port', '1'],
  stamp: 'MEASURED',
};

describe('outcomeDigest', () => {
  it('does not depend on key order or on a trip through JSON', () => {
    const reversed = Object.fromEntries(Object.entries(outcome).reverse()) as unknown as TrialOutcome;
    expect(outcomeDigest(reversed)).toBe(outcomeDigest(outcome));
    expect(outcomeDigest(JSON.parse(JSON.stringify(outcome)))).toBe(outcomeDigest(outcome));
  });

  it('changes with any value', () => {
    expect(outcomeDigest({ ...outcome, engineStartMs: 12.6 })).not.toBe(outcomeDigest(outcome));
  });
});

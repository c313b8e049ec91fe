import { describe, expect, it } from 'vitest';
import { rerunReason } from '@/server/core/run/block-verdict';
import type { TrialOutcome } from '@/server/core/run/trial';

const ok: TrialOutcome = {
  state: 'succeeded',
  valid: true,
  reasons: [],
  points: [],
  effective: [],
  quality: null,
  engineStartMs: 1,
  peakMemoryBytes: null,
  findings: [],
  cause: null,
  command: [],
  stamp: 'MEASURED',
};
const failed = (nodeId: string | null): TrialOutcome => ({
  ...ok,
  state: 'failed',
  valid: false,
  cause: { code: 'engine-exited', message: 'the engine ended', nodeId, field: null, logTail: [] },
});

describe('rerunReason', () => {
  it('lets a sound block stand', () => expect(rerunReason([ok, ok], 1)).toBeNull());
  it('names the reason of an invalid trial', () =>
    expect(rerunReason([ok, { ...ok, valid: false, reasons: ['client late'] }], 1)).toBe('invalid: client late'));
  it('repeats a crash, but not a failure that a node causes', () => {
    expect(rerunReason([failed(null)], 1)).toBe('failed: the engine ended');
    expect(rerunReason([failed('kv')], 1)).toBeNull();
  });
  it('repeats once only, and never what a user cancelled', () => {
    expect(rerunReason([failed(null)], 2)).toBeNull();
    expect(rerunReason([failed(null), { ...ok, state: 'cancelled' }], 1)).toBeNull();
  });
});

import type { TrialOutcome } from '@/server/core/run/trial';

export const anOutcome: TrialOutcome = {
  state: 'succeeded',
  valid: true,
  reasons: [],
  points: [],
  effective: [],
  quality: null,
  engineStartMs: 100,
  peakMemoryBytes: null,
  findings: [],
  cause: null,
  command: ['engine'],
  stamp: 'MEASURED',
};

export const aFailedOutcome: TrialOutcome = {
  ...anOutcome,
  state: 'failed',
  valid: false,
  reasons: ['the engine ended'],
  cause: { code: 'engine-exited', message: 'the engine ended', nodeId: null, field: null, logTail: ['last words'] },
};

import type { TrialState } from '../core/run/trial';
import type { NewEvent } from './events';

export interface TrialRow {
  id: string;
  armIndex: number;
  attemptNumber: number;
  state: TrialState;
  superseded: boolean;
  /** Null, or left out, while nobody has claimed it. */
  attempt?: { worker: { name: string } } | null;
}

/** What to read beside a trial, so that its event names the worker. */
export const WITH_WORKER = { attempt: { select: { worker: { select: { name: true } } } } } as const;

/** Tells readers where a trial stands. */
export const trialEvent = (trial: TrialRow, block: number): NewEvent => ({
  trialId: trial.id,
  body: {
    kind: 'trial',
    arm: trial.armIndex,
    block,
    attempt: trial.attemptNumber,
    state: trial.state,
    superseded: trial.superseded,
    worker: trial.attempt?.worker.name ?? null,
  },
});

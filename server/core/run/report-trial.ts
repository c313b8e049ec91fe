import type { TrialOutcome, TrialState } from './trial';

/** One trial as the report reads it: a row of the server or the command line's own, finished or not. */
export interface ReportTrial {
  trialId: string;
  /** Index in the experiment's arms. */
  arm: number;
  block: number;
  attempt: number;
  state: TrialState;
  /** A later run of its block replaced it: kept in the history, out of the comparison. */
  superseded: boolean;
  /** Null until it has ended. */
  outcome: TrialOutcome | null;
}

/** Trials whose figures count: finished, valid, of a block's latest run. */
export const isCounted = (trial: ReportTrial): boolean =>
  trial.state === 'succeeded' && !trial.superseded && trial.outcome !== null;

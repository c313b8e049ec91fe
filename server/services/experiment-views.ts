import type { SecondRow } from '../core/metrics/records';
import type { Pipeline as Document } from '../core/pipeline/document';
import type { Finding } from '../core/plan/finding';
import type { ExperimentSpec } from '../core/run/experiment';
import type { Report } from '../core/run/report';
import type { ExperimentState } from '../core/run/stream';
import type { EffectiveRow, Host, Point, TrialOutcome, TrialState } from '../core/run/trial';

export interface ExperimentSummary {
  id: string;
  /** Counts up from 1 within the team. */
  number: number;
  title: string;
  pipelineId: string | null;
  state: ExperimentState;
  cancelRequested: boolean;
  armCount: number;
  blockCount: number;
  /** Blocks that ended, whichever way. */
  blocksEnded: number;
  demo: boolean;
  /** The report's sentence and stamp, once it has ended. */
  sentence: string | null;
  stamp: Report['stamp'] | null;
  createdBy: string | null;
  createdAt: Date;
  startedAt: Date | null;
  finishedAt: Date | null;
}

export interface BlockView {
  id: string;
  index: number;
  state: 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled';
  attempt: number;
  cause: TrialOutcome['cause'];
  /** Worker of the current attempt. */
  worker: { id: string; name: string } | null;
}

export interface TrialView {
  id: string;
  arm: number;
  block: number;
  /** 1 for the first attempt of its block. */
  attempt: number;
  state: TrialState;
  superseded: boolean;
  valid: boolean | null;
  worker: string | null;
  effective: EffectiveRow[];
  outcome: TrialOutcome | null;
  startedAt: Date | null;
  finishedAt: Date | null;
}

export interface ExperimentDetail extends ExperimentSummary {
  /** The graph that was run, for node states on the canvas. */
  document: Document;
  pipelineRevision: number | null;
  spec: ExperimentSpec;
  findings: Finding[];
  blocks: BlockView[];
  trials: TrialView[];
  /** From the outcomes so far; null before the first trial ended. */
  report: Report | null;
  host: Host | null;
  /** Resume the live stream from here: everything up to it is in this answer. */
  lastSeq: number;
}

export type StartResult =
  | { started: true; experimentId: string; number: number }
  | { started: false; findings: Finding[] };

/** One trial with what the experiment's page does not carry. */
export interface TrialDetail extends TrialView {
  experimentId: string;
  logTail: string[];
  phases: { phase: TrialState; at: Date; detail: string | null }[];
  points: Point[];
}

/** One-second rows of one load level. */
export interface SecondsView {
  trialId: string;
  workload: string;
  loadIndex: number;
  rows: SecondRow[];
}

import type { Component, Plan } from '@/server/core/plan/plan';
import type { EffectiveRow, TrialOutcome } from '@/server/core/run/trial';

/** A running engine that speaks the OpenAI API. Load and checks see only `url`. */
export interface RunningEngine {
  url: string;
  model: string;
  apiKey: string | null;
  /** What its results are, where only the running engine tells; the driver's own stamp otherwise. */
  stamp?: TrialOutcome['stamp'];
  /** Process group that we own; null for endpoints. */
  pid: number | null;
  startMs: number;
  /** argv as launched, secrets redacted. */
  command: string[];
  /** Last lines of the engine's own log. */
  logTail(): string[];
  /** What the engine really applied, read from its log, buffers, endpoints or counters. */
  readEffective(): Promise<EffectiveRow[]>;
  /** Drops caches between adjacent trials that share a launchHash; false where the engine cannot. */
  resetCaches(): Promise<boolean>;
  /** Settles when the process ends, wanted or not. */
  exited: Promise<{ code: number | null; signal: string | null }>;
  stop(): Promise<void>;
}

/** One way to run a plan. `prepare` makes or finds checkpoints and returns scope → path. */
export interface Driver {
  id: string;
  /** What its results are: MEASURED on a real engine, or SIMULATED. */
  stamp: TrialOutcome['stamp'];
  supports(component: Component): boolean;
  prepare(plan: Plan, log: (line: string) => void, signal: AbortSignal): Promise<Record<string, string>>;
  start(
    plan: Plan,
    files: Record<string, string>,
    log: (line: string) => void,
    signal: AbortSignal,
  ): Promise<RunningEngine>;
}

import type { PointInput } from '@/server/core/metrics/point-input';
import type { SecondRow } from '@/server/core/metrics/records';
import type { Load, Workload } from '@/server/core/workload/workload';

export type LoadPhase = 'sizing' | 'warming' | 'measuring' | 'draining';

/** The engine's processes at one instant, summed; null where the host cannot tell. */
export interface EngineSample {
  /** CPU time since the processes began, ms. */
  cpuMs: number | null;
  residentBytes: number | null;
  joules: number | null;
}

/** Names on the engine's Prometheus page, as its engine file lists them. */
export type CounterNames = Partial<Record<string, string>>;

/** What the generator's own process needs: plain data, sent to it once. */
export interface LoadJob {
  /** Base URL, with or without a trailing `/v1`. */
  url: string;
  model: string;
  apiKey: string | null;
  workload: Workload;
  load: Load;
  /** Which of the workload's loads; keeps the prompts of the levels apart. */
  loadIndex: number;
  seed: number;
  blockIndex: number;
  /** Request defaults of the plan (temperature, top_p, …), sent with every request. */
  request: Record<string, unknown>;
  /** Stop after so many measured requests instead of the workload's window; null: the window rules. */
  maxRequests: number | null;
  onEngineHost: boolean;
}

export interface LoadOptions extends LoadJob {
  /** Absolute URL of the engine's Prometheus page and the names in it; null: no counters. */
  counters: { url: string; names: CounterNames } | null;
  /** Called at the window's edges and every second in it. */
  sample?: () => Promise<EngineSample>;
  onSecond?: (row: SecondRow) => void;
  onPhase?: (phase: LoadPhase) => void;
  signal?: AbortSignal;
}

/** Records of all phases with what is needed to judge them: spread it into `measurePoint`. */
export interface LoadResult extends Pick<PointInput, 'records' | 'window' | 'client' | 'counters' | 'usage'> {
  /** `process.hrtime` ns of the records' zero, for matching with other logs on this host. */
  zeroNs: bigint;
  /** The same instant in epoch ms with a fraction, for matching with samples of other processes. */
  zeroEpochMs: number;
}

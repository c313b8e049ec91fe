import type { Load, Workload } from '../workload/workload';
import type { PhysicsInput } from './physics-input';
import type { RequestRecord } from './records';
import type { StampError } from './stamp-error';

/** The load client on itself: what tells a slow server from a slow client. */
export interface ClientStats {
  /** Share of one core that the client's process used in the window, 0…1 and above. */
  cpuShare: number;
  eventLoopLagMsP99: number;
  eventLoopLagMsMax: number;
  /** CPU time stolen by the hypervisor in the window, 0…1 of all cores; null where /proc does not tell. */
  stealShare: number | null;
  /** Load average over a minute at the window's start and cores of the client's host; null where unknown. */
  loadAverage1: number | null;
  cores: number;
  onEngineHost: boolean;
  /** What this client's stamps may be off by on this host at this load; absent or null where nobody measured it. */
  stampError?: StampError | null;
  /** Nice value of the client's process: below 0 where the host let it run before others. */
  priority?: number;
  /** Tokens that the server counted for a synthetic prompt after adjusting; null where it reports none. */
  sizedInputTokens: number | null;
  /** Output tokens of one sample by the server's usage and by the ids in its stream; null where it gives no ids. */
  tokenCheck: { reported: number; counted: number } | null;
  warmupRequests: number;
  warmupS: number;
  warmupStable: boolean;
  /** Arrivals that the schedule held for the window, and how many of them were sent. Equal in a closed loop. */
  scheduled: number;
  sent: number;
}

/** Sums over the labels of a Prometheus page, by metric name. */
export type CounterSnapshot = Readonly<Record<string, number>>;

/** The server's own counters around the window, by the meaning that the engine's file gives their names. */
export interface ServerCounters {
  before: CounterSnapshot;
  after: CounterSnapshot;
  /** Highest KV usage seen in the window, 0…1; null where it is not reported. */
  kvUsageMax: number | null;
}

/** What the host saw of the engine's processes in the window. */
export interface EngineUsage {
  cpuMs: number | null;
  peakMemoryBytes: number | null;
  joules: number | null;
}

/** All that one point's metrics are computed from. Times are ms on the records' clock. */
export interface PointInput {
  records: readonly RequestRecord[];
  window: { startMs: number; endMs: number };
  workload: Workload;
  load: Load;
  client: ClientStats;
  counters: ServerCounters | null;
  usage: EngineUsage | null;
  /** Accelerators in use; null on a CPU, where per-GPU figures are absent. */
  gpus: number | null;
  pricePerHourUsd: number | null;
  /** What the hardware must move and compute for a token; without it nothing is checked against physics. */
  physics?: PhysicsInput;
}

import type { Engine } from '@/server/core/engines/engine';
import type { RequestRecord } from '@/server/core/metrics/records';
import type { AgentEventBody } from '@/server/core/run/protocol';
import type { Quality } from '@/server/core/run/trial';
import type { Calibrate } from '../load/calibrations';
import type { LoadOptions, LoadResult } from '../load/load-types';
import type { TelemetrySampler } from '../telemetry/sampler';
import type { ReferenceCache } from './reference-cache';

/** A server as the quality pass sees it. */
export interface EvaluatedServer {
  url: string;
  model: string;
  apiKey: string | null;
}

/** Teacher-forced quality on a fixed text. A reference is what the baseline said about it, opaque to the agent. */
export interface QualityTool {
  /** Names text and method: references of another hash don't compare. */
  textHash: string;
  makeReference(server: EvaluatedServer, signal: AbortSignal): Promise<unknown>;
  /** Perplexity of the server, KL and top-1 agreement against the reference. `noiseFloor` is filled in by the agent. */
  evaluate(server: EvaluatedServer, reference: unknown, signal: AbortSignal): Promise<Omit<Quality, 'degenerate'>>;
}

/** What a block is run with. Tests replace single tools; production code takes them from `tools.ts`. */
export interface BlockTools {
  engines: readonly Engine[];
  runLoad(options: LoadOptions): Promise<LoadResult>;
  /** What the load client's stamps may be off by here; null where it cannot be measured. */
  calibrate: Calibrate;
  /** Null where outputs look sane, else why not. */
  detectDegenerate(texts: readonly string[]): string | null;
  /** Compressed columns of the records, base64. */
  encodeRecords(records: readonly RequestRecord[]): Promise<string>;
  startSampler(enginePid: number | null): TelemetrySampler;
  quality: QualityTool | null;
  references: ReferenceCache;
  cores: number;
}

export type Emit = (trialId: string, body: AgentEventBody) => void;

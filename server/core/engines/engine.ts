import type { Checkpoint, Component } from '../plan/plan';
import type { Disaggregation } from '../plan/policies';
import type { Scope, SettingName, SettingValues } from '../plan/settings';
import type { FlagTable } from './flag';

/** All that a lowering may look at: resolved values by scope, checkpoints and hardware. */
export interface LoweringContext {
  runtime: string | null;
  version: string;
  /** Resolved values (asked, or the engine's default) of the target scope, for arithmetic across settings. */
  value<K extends SettingName>(name: K, scope?: Scope): SettingValues[K] | null;
  checkpoint(scope: Scope): Checkpoint | null;
  hardware: { kind: 'cpu' | 'gpu'; id: string; count: number };
}

export type Lowered =
  /** An argument without a leading dash and with `value` null is positional: it is the word itself. */
  | { kind: 'args'; args: { flag: string; value: string | null; note?: string }[] }
  | { kind: 'env'; env: Record<string, string> }
  /** Entries of the engine's configuration file; keys are dotted paths. Only for an engine with `configFile`. */
  | { kind: 'config'; entries: Record<string, unknown>; note?: string }
  | { kind: 'request'; fields: Record<string, unknown> }
  /** The setting is carried by another one (e.g. draft tokens inside one JSON flag), named by `by`. */
  | { kind: 'carried'; by: SettingName }
  /** It works, but not as a reader would expect: a warning at the node that asked. */
  | { kind: 'caution'; message: string; source: string }
  /** More than one of the kinds above at once: a launch flag beside a request field, say. */
  | { kind: 'several'; parts: Lowered[] }
  /** Offered as quick fixes: `instead`, id of an engine that can; `use`, a value of the parameter that works here. */
  | { kind: 'unsupported'; reason: string; source: string; instead?: string; use?: { value: unknown; label: string } };

/** How one setting becomes engine arguments; `{ unsupported }` states why it cannot. */
export type Lowering<K extends SettingName> =
  | ((value: SettingValues[K], ctx: LoweringContext, scope: Scope) => Lowered)
  | { unsupported: string; source: string };

/** Exhaustive: tsc lists what a new setting still lacks. */
export type LoweringTable = { [K in SettingName]: Lowering<K> };

/** How an engine serves prefill and decode in pools of their own. */
export interface Pools {
  /** What an engine of one pool gets beside the plan's own arguments. */
  member(role: 'prefill' | 'decode', pools: Disaggregation, ctx: LoweringContext): Lowered;
  /** The process in front that takes a request through both pools. Addresses are those of `poolAddresses`. */
  router(pools: Disaggregation, ctx: LoweringContext): PoolRouter;
}

export interface PoolRouter {
  command: readonly string[];
  image: string | null;
  args: readonly { flag: string; value: string | null; note?: string }[];
  files: Component['files'];
  source: string;
}

export interface EngineDefault {
  value: unknown;
  source: string;
}

/** One engine: data first. One file in `engines/`, one line in the registry. */
export interface Engine {
  id: string;
  title: string;
  /** Runtimes of one engine share its lowering; [] where there is only one. */
  runtimes: readonly { id: string; title: string; versions: readonly string[] }[];
  /** Versions that the facts cover; others get a warning that names the range. */
  versions: { readFrom: string; readTo: string; pinned: string; source: string };
  command(runtime: string | null): readonly string[];
  image(ctx: { hardware: { kind: 'cpu' | 'gpu'; id: string }; version: string }): string | null;
  port: number;
  healthPath: string;
  metricsPath: string;
  /** Prometheus names of the counters that we read. */
  metricNames: Partial<
    Record<
      | 'running'
      | 'waiting'
      | 'kvUsage'
      | 'draftTokens'
      | 'acceptedTokens'
      | 'promptTokens'
      | 'cachedTokens'
      | 'generatedTokens'
      | 'preemptions',
      string
    >
  >;
  weightFormats: readonly string[];
  defaults(ctx: { runtime: string | null; modelMaxTokens: number | null }): Partial<Record<SettingName, EngineDefault>>;
  lowering: LoweringTable;
  /** Where `config` entries are written, and the argument that names the file; null: the engine finds it by its place. */
  configFile?: { path: string; flag: string | null; format: 'yaml' | 'json' };
  /** Set where nothing listens on a port: a plan is exported, a worker cannot start or measure it. */
  noServer?: { reason: string; source: string };
  /** Prefill and decode apart; left out where the engine cannot. */
  pools?: Pools;
  /** Every launch flag that the facts know; null where the engine takes none. */
  flags: FlagTable | null;
  /** Log patterns of a failed launch → cause, setting and a hint. */
  failures: readonly { pattern: RegExp; code: string; message: string; setting: SettingName | null }[];
}

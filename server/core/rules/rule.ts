import type { Engine } from '../engines/engine';
import type { HardwareFacts } from '../facts/hardware-facts';
import type { ModelFacts } from '../facts/model-facts';
import type { Finding } from '../plan/finding';
import type { Checkpoint, Component } from '../plan/plan';
import type { Policies } from '../plan/policies';
import type { AskedSetting, Scope, SettingName, SettingValues } from '../plan/settings';
import type { Workload } from '../workload/workload';

/** A model as one scope of an arm uses it. `facts` null: the id is in no table. */
export interface ArmModel {
  id: string;
  nodeId: string;
  facts: ModelFacts | null;
}

/** A node that takes part in the arm, its parameters validated and its sweeps decided. */
export interface ArmNode {
  id: string;
  type: string;
  scope: Scope;
  params: Readonly<Record<string, unknown>>;
}

/** All that a rule may look at: one arm, resolved and lowered. Rules run once for each arm. */
export interface RuleContext {
  /** Arm id, for messages. */
  deployment: string;
  deploymentNodeId: string | null;
  isBaseline: boolean;
  engine: Engine;
  engineNodeId: string;
  runtime: string | null;
  version: string;
  hardware: { id: string; kind: 'cpu' | 'gpu'; count: number; nodeId: string | null; facts: HardwareFacts | null };
  models: Partial<Record<Scope, ArmModel>>;
  nodes: readonly ArmNode[];
  workloads: readonly Workload[];
  checkpoints: readonly Checkpoint[];
  /** The engine's component; its pools are among the components of the plan. */
  component: Component;
  /** Gateway, scaling, routing and pools around the engine. */
  policies: Policies;
  /** What a node (or the workload) asked for; null where nobody did. */
  asked<K extends SettingName>(name: K, scope?: Scope): AskedSetting<K> | null;
  /** Asked, else the engine's default; null where neither is known. */
  value<K extends SettingName>(name: K, scope?: Scope): SettingValues[K] | null;
}

/**
 * A rule over two or more facts of an arm. Three-valued: a fact that is missing gives a finding with the code
 * `not-checked` that names it, never a silent pass. `source`: file, line or document that the rule comes from.
 */
export interface Rule {
  id: string;
  summary: string;
  source: string;
  check(ctx: RuleContext): Finding[];
}

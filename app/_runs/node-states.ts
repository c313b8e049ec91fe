import type { Plan } from '@/server/core/plan/plan';
import type { EffectiveRow } from '@/server/core/run/trial';
import type { LiveState, LiveTrial } from './live-state';

export const NODE_STATES = ['failed', 'changed', 'ignored', 'unverified', 'applied', 'running', 'queued'] as const;
export type NodeState = (typeof NODE_STATES)[number];

/** What a run did with one node, over all arms that it takes part in: the state that needs attention first wins. */
export interface NodeRunState {
  state: NodeState;
  /** One line for the node, e.g. "asked Q4_0, got Q8_0". */
  detail: string;
}

const rank = (state: NodeState): number => NODE_STATES.indexOf(state);
const worse = (a: NodeRunState | undefined, b: NodeRunState): NodeRunState =>
  a && rank(a.state) <= rank(b.state) ? a : b;

const text = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value ?? null));

function fromRow(row: EffectiveRow): NodeRunState {
  switch (row.state) {
    case 'applied':
      return { state: 'applied', detail: `${row.setting}: ${text(row.got)}` };
    case 'changed':
      return { state: 'changed', detail: `${row.setting}: asked ${text(row.asked)}, got ${text(row.got)}` };
    case 'ignored':
      return { state: 'ignored', detail: `${row.setting}: asked ${text(row.asked)}, the engine ignored it` };
    case 'unverified':
      return { state: 'unverified', detail: `${row.setting}: asked ${text(row.asked)}, the engine does not show it` };
  }
}

/** The trial that speaks for an arm: the newest that is not superseded. */
function currentTrial(trials: readonly LiveTrial[], arm: number): LiveTrial | null {
  const own = trials.filter((t) => t.arm === arm && !t.superseded && t.state !== 'queued');
  return own.sort((a, b) => b.block - a.block || b.attempt - a.attempt)[0] ?? null;
}

/**
 * States of the graph's nodes while an experiment runs. A node is queued until an arm that holds it is claimed,
 * running until the engine's effective configuration has been read, then what that says; a failed launch marks the
 * node that its cause names. Nodes that no arm holds are absent.
 */
export function nodeStates(
  live: LiveState,
  plans: readonly Pick<Plan, 'nodeIds'>[],
): ReadonlyMap<string, NodeRunState> {
  const states = new Map<string, NodeRunState>();
  const trials = Object.values(live.trials);
  plans.forEach((plan, arm) => {
    const trial = currentTrial(trials, arm);
    const known = new Map<string, NodeRunState>();
    for (const row of trial?.effective ?? []) {
      if (row.nodeId !== null) known.set(row.nodeId, worse(known.get(row.nodeId), fromRow(row)));
    }
    const cause = trial?.state === 'failed' ? trial.cause : null;
    if (cause?.nodeId) known.set(cause.nodeId, { state: 'failed', detail: cause.message });
    for (const nodeId of plan.nodeIds) {
      const own = known.get(nodeId) ?? withoutRow(trial);
      if (own) states.set(nodeId, worse(states.get(nodeId), own));
    }
  });
  return states;
}

/** A node without an effective row: queued, running, or (its trial having ended) nothing that could be observed. */
function withoutRow(trial: LiveTrial | null): NodeRunState | null {
  if (!trial) return { state: 'queued', detail: 'waits for its turn' };
  if (trial.effective.length === 0 && trial.valid === null) return { state: 'running', detail: trial.state };
  return null;
}

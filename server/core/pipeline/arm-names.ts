import type { ActiveGraph } from './bypass';
import type { PipelineEdge } from './document';
import { uniqueId } from './parse-parts';

/** One decision of an arm: a value of a sweep, or one of several edges into a port. */
export type Choice =
  | { kind: 'sweep'; nodeId: string; name: string; value: unknown }
  | { kind: 'edge'; nodeId: string; name: string; edge: PipelineEdge; others: readonly PipelineEdge[] };

/** Ids of all nodes that `id` leads to. */
function downstream(graph: ActiveGraph, id: string): Set<string> {
  const found = new Set<string>();
  const open = [id];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const edge of graph.outgoing.get(at) ?? []) {
      if (found.has(edge.to.node)) continue;
      found.add(edge.to.node);
      open.push(edge.to.node);
    }
  }
  return found;
}

/** Characters that delimit an arm id may not stand in a value. */
const clean = (text: string): string => text.replace(/[[\],=\s]+/g, '_');

function shownValue(choice: Choice, leadsTo: (id: string) => Set<string>): string {
  if (choice.kind === 'sweep') {
    return clean(typeof choice.value === 'string' ? choice.value : JSON.stringify(choice.value));
  }
  const source = choice.edge.from.node;
  // A direct edge beside edges through techniques is the variant without them.
  const direct = choice.others.length > 0 && choice.others.every((o) => leadsTo(source).has(o.from.node));
  return direct ? 'without' : clean(source);
}

/**
 * Ids of a deployment's arms: `dep`, or `dep[param=value,…]` with the node before the parameter where two nodes
 * have one of that name. Unique within the deployment.
 */
export function nameArms(graph: ActiveGraph, deployment: string, arms: readonly (readonly Choice[])[]): string[] {
  const owners = new Map<string, Set<string>>();
  for (const choice of arms.flat()) {
    owners.set(choice.name, (owners.get(choice.name) ?? new Set()).add(choice.nodeId));
  }
  const known = new Map<string, Set<string>>();
  const leadsTo = (id: string): Set<string> => {
    const found = known.get(id) ?? downstream(graph, id);
    known.set(id, found);
    return found;
  };
  const taken = new Set<string>();
  return arms.map((choices) => {
    const parts = choices.map((choice) => {
      const name = (owners.get(choice.name)?.size ?? 0) > 1 ? `${clean(choice.nodeId)}.${choice.name}` : choice.name;
      return `${clean(name)}=${shownValue(choice, leadsTo)}`;
    });
    const id = uniqueId(parts.length > 0 ? `${deployment}[${parts.join(',')}]` : deployment, taken);
    taken.add(id);
    return id;
  });
}

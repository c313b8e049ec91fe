import type { ActiveGraph } from './bypass';
import type { PipelineEdge } from './document';
import { uniqueId } from './parse-parts';

/** One decision of an arm: a value of a sweep, or one of several edges into a port. */
export type Choice =
  | { kind: 'sweep'; nodeId: string; name: string; value: unknown }
  | { kind: 'edge'; nodeId: string; name: string; edge: PipelineEdge; others: readonly PipelineEdge[] };

/** Whether `id` is upstream of `from`. */
function isUpstream(graph: ActiveGraph, id: string, from: string): boolean {
  const seen = new Set([from]);
  const open = [from];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const edge of graph.incoming.get(at) ?? []) {
      if (edge.from.node === id) return true;
      if (seen.has(edge.from.node)) continue;
      seen.add(edge.from.node);
      open.push(edge.from.node);
    }
  }
  return false;
}

/** Characters that delimit an arm id may not stand in a value. */
const clean = (text: string): string => text.replace(/[[\],=\s]+/g, '_');

function shownValue(graph: ActiveGraph, choice: Choice): string {
  if (choice.kind === 'sweep') {
    return clean(typeof choice.value === 'string' ? choice.value : JSON.stringify(choice.value));
  }
  const source = choice.edge.from.node;
  // A direct edge beside edges through techniques is the variant without them.
  const direct = choice.others.length > 0 && choice.others.every((o) => isUpstream(graph, source, o.from.node));
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
  const taken = new Set<string>();
  return arms.map((choices) => {
    const parts = choices.map((choice) => {
      const name = (owners.get(choice.name)?.size ?? 0) > 1 ? `${clean(choice.nodeId)}.${choice.name}` : choice.name;
      return `${clean(name)}=${shownValue(graph, choice)}`;
    });
    const id = uniqueId(parts.length > 0 ? `${deployment}[${parts.join(',')}]` : deployment, taken);
    taken.add(id);
    return id;
  });
}

import type { PipelineEdge } from './document';
import { groupBy } from './edges';

type Links = Map<string, PipelineEdge[]>;

/** Nodes in the order in which a depth-first walk leaves them. */
function finishOrder(ids: readonly string[], outgoing: Links): string[] {
  const seen = new Set<string>();
  const order: string[] = [];
  for (const root of ids) {
    if (seen.has(root)) continue;
    seen.add(root);
    const stack = [{ id: root, next: 0 }];
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const edge = outgoing.get(top.id)?.[top.next++];
      if (!edge) {
        order.push(top.id);
        stack.pop();
      } else if (!seen.has(edge.to.node)) {
        seen.add(edge.to.node);
        stack.push({ id: edge.to.node, next: 0 });
      }
    }
  }
  return order;
}

/** Walks back from `root` over what no earlier component holds. */
function collect(root: string, incoming: Links, taken: Set<string>): string[] {
  const component: string[] = [];
  const open = [root];
  taken.add(root);
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    component.push(id);
    for (const edge of incoming.get(id) ?? []) {
      if (taken.has(edge.from.node)) continue;
      taken.add(edge.from.node);
      open.push(edge.from.node);
    }
  }
  return component;
}

/**
 * Circles of a graph: strongly connected components (Kosaraju's two walks) of more than one node, or with an edge
 * to itself. Ids in document order within each. Edges must end at nodes of `ids`.
 */
export function findCycles(ids: readonly string[], edges: readonly PipelineEdge[]): string[][] {
  const outgoing = groupBy(edges, (edge) => edge.from.node);
  const incoming = groupBy(edges, (edge) => edge.to.node);
  const rank = new Map(ids.map((id, index) => [id, index]));
  const selfLoops = new Set(edges.filter((edge) => edge.from.node === edge.to.node).map((edge) => edge.from.node));
  const taken = new Set<string>();
  const cycles: string[][] = [];
  for (const id of finishOrder(ids, outgoing).reverse()) {
    if (taken.has(id)) continue;
    const component = collect(id, incoming, taken);
    if (component.length === 1 && !selfLoops.has(id)) continue;
    cycles.push(component.sort((a, b) => (rank.get(a) ?? 0) - (rank.get(b) ?? 0)));
  }
  return cycles;
}

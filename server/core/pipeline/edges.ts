import type { PipelineEdge } from './document';

export const sameEdge = (a: PipelineEdge, b: PipelineEdge): boolean =>
  a.from.node === b.from.node && a.from.port === b.from.port && a.to.node === b.to.node && a.to.port === b.to.port;

/** One text for each edge, for sets and maps. */
export const edgeKey = (edge: PipelineEdge): string =>
  JSON.stringify([edge.from.node, edge.from.port, edge.to.node, edge.to.port]);

/** Groups values by a key, in their order. */
export function groupBy<T>(values: readonly T[], keyOf: (value: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const value of values) {
    const key = keyOf(value);
    const group = groups.get(key);
    if (group) group.push(value);
    else groups.set(key, [value]);
  }
  return groups;
}

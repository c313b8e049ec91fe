import type { PipelineEdge, PortRef } from './document';

export const sameEdge = (a: PipelineEdge, b: PipelineEdge): boolean =>
  a.from.node === b.from.node && a.from.port === b.from.port && a.to.node === b.to.node && a.to.port === b.to.port;

/** One text for each pair: ids and names are any text, so the length says where the first one ends. */
export const pairKey = (first: string, second: string): string => `${first.length} ${first}${second}`;

/** One text for each port of each node, for sets and maps. */
export const portKey = ({ node, port }: PortRef): string => pairKey(node, port);

/** One text for each edge, for sets and maps. */
export const edgeKey = ({ from, to }: PipelineEdge): string => pairKey(portKey(from), portKey(to));

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

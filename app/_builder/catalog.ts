import { findNodeType } from '@/server/core/catalog/find-node-type';
import { NODE_TYPES } from '@/server/core/catalog/index';
import type { Family, NodeType } from '@/server/core/catalog/node-type';
import { describeParams, type ParamDescription } from '@/server/core/catalog/param';
import { findNodeTypes } from '@/server/core/catalog/search-catalog';
import { isSweep, type PipelineNode } from '@/server/core/pipeline/document';

const described = new Map<string, readonly ParamDescription[]>();

/** Null for a type that this version does not know: the node is kept as a placeholder. */
export const nodeTypeOf = findNodeType;

/** Parameters of a known type, [] for an unknown one. */
export function paramsOf(type: string): readonly ParamDescription[] {
  const nodeType = findNodeType(type);
  if (!nodeType) return [];
  const known = described.get(type);
  if (known) return known;
  const params = describeParams(nodeType);
  described.set(type, params);
  return params;
}

/**
 * Parameters that mean nothing beside the others and that nobody set: a tool where nothing is made, a URL of an engine
 * that is launched. Swept values count by their first one; none where the parameters are faulty.
 */
export function idleParamsOf(node: PipelineNode): ReadonlySet<string> {
  const type = findNodeType(node.type);
  if (!type?.withoutEffect) return new Set();
  const values = Object.entries(node.params).map(([name, value]) => [name, isSweep(value) ? value.$sweep[0] : value]);
  const parsed = type.params.safeParse(Object.fromEntries(values));
  const idle = parsed.success ? type.withoutEffect(parsed.data) : [];
  return new Set(idle.filter((name) => node.params[name] === undefined));
}

export const FAMILY_TITLES: Readonly<Record<Family, string>> = {
  sources: 'Sources',
  compression: 'Compression',
  attention: 'Attention',
  'kv-cache': 'KV cache',
  decoding: 'Decoding',
  serving: 'Serving',
  gateway: 'Gateway',
  scaling: 'Scaling',
  deployment: 'Deployment',
};

/** CSS colour of a family: bar, icon, port. Null: an unknown type. */
export const familyColor = (family: Family | null): string =>
  family ? `var(--family-${family})` : 'var(--line-strong)';

export interface PaletteGroup {
  family: Family;
  title: string;
  types: NodeType[];
}

/**
 * Node types by family, in the order of the registry; a query puts the closest match of each family first, and the
 * family of the closest match before the others.
 */
export function paletteGroups(query = ''): PaletteGroup[] {
  const found = query.trim() === '' ? NODE_TYPES : findNodeTypes(query);
  const families = query.trim() === '' ? (Object.keys(FAMILY_TITLES) as Family[]) : found.map((type) => type.family);
  return [...new Set(families)].flatMap((family) => {
    const types = found.filter((type) => type.family === family);
    return types.length > 0 ? [{ family, title: FAMILY_TITLES[family], types }] : [];
  });
}

/** Parts of a family's list: types of one `group` together, in the order of their first; null: no part. */
export function partsOf(types: readonly NodeType[]): { group: string | null; types: NodeType[] }[] {
  const groups = [...new Set(types.map((type) => type.group ?? null))];
  return groups.map((group) => ({ group, types: types.filter((type) => (type.group ?? null) === group) }));
}

/** What a node is called on screen: the type's title, or the raw type where it is unknown. */
export const titleOf = (node: PipelineNode): string => nodeTypeOf(node.type)?.title ?? node.type;

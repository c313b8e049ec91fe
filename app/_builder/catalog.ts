import { findNodeType } from '@/server/core/catalog/find-node-type';
import { NODE_TYPES } from '@/server/core/catalog/index';
import type { Family, NodeType } from '@/server/core/catalog/node-type';
import { describeParams, type ParamDescription } from '@/server/core/catalog/param';
import type { PipelineNode } from '@/server/core/pipeline/document';

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

/** Node types by family, in the order of the registry. `query` matches title, type, summary and settings. */
export function paletteGroups(query = ''): PaletteGroup[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const families = Object.keys(FAMILY_TITLES) as Family[];
  return families.flatMap((family) => {
    const types = NODE_TYPES.filter((nodeType) => {
      const text =
        `${nodeType.title} ${nodeType.type} ${nodeType.summary} ${nodeType.settings.join(' ')}`.toLowerCase();
      return nodeType.family === family && words.every((word) => text.includes(word));
    });
    return types.length > 0 ? [{ family, title: FAMILY_TITLES[family], types }] : [];
  });
}

/** What a node is called on screen: the type's title, or the raw type where it is unknown. */
export const titleOf = (node: PipelineNode): string => nodeTypeOf(node.type)?.title ?? node.type;

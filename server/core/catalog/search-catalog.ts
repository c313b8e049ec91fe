import { NODE_TYPES } from './index';
import type { NodeType } from './node-type';
import { describeParams } from './param';
import { REFUSED_TECHNIQUES, type RefusedTechnique } from './refused-techniques';

/** "FlashAttention-2", "flash attention 2" and "flash_attention_2" are one name. */
const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}.:#/]+/gu, ' ')
    .trim();
const joined = (text: string): string => plain(text).replaceAll(' ', '');

interface Entry<T> {
  item: T;
  text: string;
  /** Titles and other names, for the order of what matches. */
  names: readonly string[];
}

const entry = <T>(item: T, names: readonly string[], more: readonly string[]): Entry<T> => ({
  item,
  names: names.map(joined),
  // Joined forms let "flashinfer" and "flash infer" find each other.
  text: [...names, ...more].flatMap((part) => [plain(part), joined(part)]).join(' \n '),
});

const nodeEntry = (nodeType: NodeType): Entry<NodeType> =>
  entry(
    nodeType,
    [nodeType.title, nodeType.type, ...(nodeType.aliases ?? [])],
    [
      nodeType.summary,
      nodeType.group ?? '',
      ...nodeType.settings,
      ...describeParams(nodeType).flatMap((param) => param.options ?? []),
    ],
  );

let nodes: readonly Entry<NodeType>[] | null = null;
const nodeEntries = (): readonly Entry<NodeType>[] => {
  nodes ??= NODE_TYPES.map(nodeEntry);
  return nodes;
};
const refusals = REFUSED_TECHNIQUES.map((refused) =>
  entry(refused, [refused.title, refused.id, ...refused.aliases], []),
);

/** 0: a name is the query; 1: a name starts with it; 2: it stands somewhere. */
const rank = (names: readonly string[], query: string): number => {
  if (names.includes(query)) return 0;
  return names.some((name) => name.startsWith(query)) ? 1 : 2;
};

function matching<T>(entries: readonly Entry<T>[], query: string): T[] {
  const words = plain(query).split(' ').filter(Boolean);
  const whole = joined(query);
  return entries
    .filter(({ text }) => words.every((word) => text.includes(word)) || (whole !== '' && text.includes(whole)))
    .map(({ item, names }, index) => ({ item, index, rank: rank(names, whole) }))
    .sort((a, b) => a.rank - b.rank || a.index - b.index)
    .map(({ item }) => item);
}

/** Node types that match every word of the query by title, other names, settings or options; the closest first. */
export const findNodeTypes = (query: string): NodeType[] => matching(nodeEntries(), query);

/** Techniques without a node that go by that name; none for an empty query. */
export const findRefused = (query: string): RefusedTechnique[] =>
  joined(query) === '' ? [] : matching(refusals, query);

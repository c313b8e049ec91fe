import { type Document, type Pair, Scalar, YAMLMap } from 'yaml';
import { oneLine } from './comment';

/** A part of a path: a place in a list, or a key. */
const index = (part: string): string | number => (/^\d+$/.test(part) ? Number(part) : part);

/** Puts a comment behind a scalar, or above the key of a list or map; nothing where the path is not there. */
export function commentAt(document: Document, path: readonly string[], text: string): void {
  const parent = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1).map(index), true);
  if (!(parent instanceof YAMLMap)) return;
  const pair = parent.items.find((item: Pair): boolean => item.key instanceof Scalar && item.key.value === path.at(-1));
  if (pair?.value instanceof Scalar) pair.value.comment = ` ${oneLine(text)}`;
  else if (pair?.key instanceof Scalar) pair.key.commentBefore = ` ${oneLine(text)}`;
}

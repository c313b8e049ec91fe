import { Document, isNode, Pair, Scalar, YAMLMap, YAMLSeq } from 'yaml';
import { oneLine } from './comment';

/** Words that some YAML 1.1 reader takes for a truth value, a number, a date or a merge key. */
const AMBIGUOUS =
  /^(on|off|yes|no|y|n|=|<<)$|^[-+]?[\d.]+(:\d+)+$|^[-+]?0[bo]?[\d_]+$|^[-+]?\d[\d_]*(\.[\d_]*)?$|^\d{4}-\d\d?-\d\d?([Tt ].*)?$/i;

/** A scalar with a comment on its line; text that some YAML reader takes for something else gets quotes. */
export function text(value: string, comment: string | null = null): Scalar<string> {
  const scalar = new Scalar(value);
  if (AMBIGUOUS.test(value)) scalar.type = Scalar.QUOTE_DOUBLE;
  if (comment !== null) scalar.comment = ` ${oneLine(comment)}`;
  return scalar;
}

export function list(...items: unknown[]): YAMLSeq {
  const seq = new YAMLSeq();
  seq.items.push(...items);
  return seq;
}

export function map(entries: Record<string, unknown>): YAMLMap {
  const result = new YAMLMap();
  for (const [key, value] of Object.entries(entries)) result.items.push(new Pair(text(key), value));
  return result;
}

/** A number or truth value with a comment on its line. */
export function noted<T extends number | boolean>(value: T, comment: string): Scalar<T> {
  const scalar = new Scalar(value);
  scalar.comment = ` ${oneLine(comment)}`;
  return scalar;
}

/** Plain data in which a scalar may carry its comment. An undefined entry is left out. */
export type Yaml = string | number | boolean | Scalar | YAMLMap | YAMLSeq | readonly Yaml[] | YamlMap;
export interface YamlMap {
  [key: string]: Yaml | undefined;
}

/** The nodes of plain data, every string guarded. */
export function yamlNode(value: Yaml): Scalar | YAMLMap | YAMLSeq {
  if (typeof value === 'string') return text(value);
  if (typeof value === 'number' || typeof value === 'boolean') return new Scalar(value);
  if (isNode(value)) return value as Scalar | YAMLMap | YAMLSeq;
  if (Array.isArray(value)) return list(...value.map(yamlNode));
  const entries = Object.entries(value as YamlMap).flatMap(([key, entry]) =>
    entry === undefined ? [] : [[key, yamlNode(entry)] as const],
  );
  return map(Object.fromEntries(entries));
}

/** One file of one or more YAML documents; the head stands above the first, a document's notes above it. */
export function yamlFile(
  head: readonly string[],
  documents: readonly { notes?: readonly string[]; body: Yaml }[],
): string {
  return documents
    .map(({ notes = [], body }, i) => {
      const document = new Document(yamlNode(body));
      const lines = i === 0 ? [...head, ...notes] : notes;
      if (lines.length > 0) document.commentBefore = lines.map((line) => ` ${oneLine(line)}`).join('\n');
      return document.toString({ lineWidth: 0 });
    })
    .join('---\n');
}

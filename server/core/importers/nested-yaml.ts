import { stringify } from 'yaml';
import { isRecord } from './read-yaml';

/** A leaf of a configuration from its text: JSON where it is some, else the text. */
export function leafOf(text: string | null): unknown {
  if (text === null) return null;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const own = (target: Record<string, unknown>, key: string, value: unknown): void => {
  Object.defineProperty(target, key, { value, enumerable: true, writable: true, configurable: true });
};

function put(target: Record<string, unknown>, [key = '', ...rest]: readonly string[], value: unknown): void {
  const inner = Object.hasOwn(target, key) ? target[key] : undefined;
  const block: Record<string, unknown> = isRecord(inner) ? inner : {};
  own(target, key, rest.length === 0 ? value : block);
  if (rest.length > 0) put(block, rest, value);
}

/** Blocks from dotted paths. */
export function nested(entries: readonly (readonly [string, unknown])[]): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [path, value] of entries) put(result, path.split('.'), value);
  return result;
}

export const nestedYaml = (entries: readonly (readonly [string, unknown])[]): string =>
  stringify(nested(entries), { lineWidth: 0 });

import type { SettingName } from '../../plan/settings';
import { settingSchemas } from '../../plan/settings';
import type { Mark } from '../mark';
import { leafText, leavesOf } from './literal';
import { choicesOf, probesOf } from './probe-values';
import { tokensOf } from './template';

/** What a setting may be worth here: one of a list, or a number that the text of an argument tells. */
export type Domain =
  | { kind: 'list'; values: readonly unknown[] }
  | { kind: 'number'; probes: readonly [number, number]; given: readonly number[] };

const MAX_GIVEN = 40;
const MAX_TEXTS = 120;
const numbersIn = (texts: readonly string[]): number[] => [...new Set(texts.flatMap((text) => tokensOf(text).numbers))];

/** Texts that a mark holds: its value, and the leaves of JSON. */
function textsIn({ value }: Mark): string[] {
  if (value === null) return [];
  if (!value.trimStart().startsWith('{')) return [value];
  try {
    return leavesOf(JSON.parse(value)).map(([, leaf]) => leafText(leaf));
  } catch {
    return [value];
  }
}

const PAIR = /^([^=]+)=(.+)$/;

/** `name=source` in words of their own or apart by commas; null where a part is none. */
function adaptersIn(words: readonly string[]): { name: string; source: string }[] | null {
  const pairs = words
    .flatMap((word) => word.split(','))
    .filter((part) => part !== '')
    .map((part) => PAIR.exec(part));
  if (pairs.length === 0 || pairs.some((pair) => pair === null)) return null;
  return pairs.map((pair) => ({ name: pair?.[1] ?? '', source: pair?.[2] ?? '' }));
}

const known = new WeakMap<readonly Mark[], string[]>();

/** Every text that the marks hold, once; as many as any start has. */
function textsOf(marks: readonly Mark[]): string[] {
  const before = known.get(marks);
  if (before !== undefined) return before;
  const texts = [...new Set(marks.flatMap(textsIn))].slice(0, MAX_TEXTS);
  known.set(marks, texts);
  return texts;
}

/** Where to look for a setting's value among the marks; null where nothing there can hold one. */
export function domainOf(name: SettingName, marks: readonly Mark[], index: number): Domain | null {
  const choices = choicesOf(name);
  if (choices !== null) return { kind: 'list', values: choices };
  const probes = probesOf(name, index);
  const texts = textsOf(marks);
  const fits = (value: unknown): boolean => settingSchemas[name].safeParse(value).success;
  if (probes !== null) return { kind: 'number', probes, given: numbersIn(texts).filter(fits).slice(0, MAX_GIVEN) };
  const candidates = name === 'loraAdapters' ? marks.flatMap(({ words }) => [adaptersIn(words.slice(1)) ?? []]) : texts;
  const values = candidates.filter(fits);
  return values.length === 0 ? null : { kind: 'list', values };
}

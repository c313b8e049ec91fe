import type { Lowered } from '../../engines/engine';
import { findSpelling } from '../../engines/find-flag-spelling';
import type { FlagFact, FlagTable } from '../../engines/flag';
import { partsOf } from '../../engines/lower';
import type { SettingName } from '../../plan/settings';
import type { Mark } from '../mark';
import { isRecord } from '../read-yaml';

/** One thing that a lowering writes, in the names by which marks are found. */
export interface Literal {
  kind: Mark['kind'];
  name: string;
  negated: boolean;
  /** Canonical text; null: a bare flag. */
  value: string | null;
}

/** JSON in one spelling: keys sorted, no blanks. Other text as it is. */
export function canonicalValue(text: string): string {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return stableJson(JSON.parse(text));
  } catch {
    return text;
  }
}

function stableJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(stableJson).join(',')}]`;
  if (!isRecord(value)) return JSON.stringify(value);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${stableJson(item)}`).join(',')}}`;
}

/** Text of a leaf of a configuration file. */
export const leafText = (value: unknown): string =>
  typeof value === 'string' ? value : stableJson(value === undefined ? null : value);

/** Leaves of a configuration by dotted path; an empty block is a leaf of its own. */
export function leavesOf(value: unknown, path = ''): [string, unknown][] {
  if (!isRecord(value) || Object.keys(value).length === 0) return [[path, value]];
  return Object.entries(value).flatMap(([key, item]) => leavesOf(item, path === '' ? key : `${path}.${key}`));
}

function literalOfArg(flag: string, value: string | null, table: FlagTable): Literal {
  if (!flag.startsWith('-')) return { kind: 'arg', name: flag, negated: false, value };
  const spelling = findSpelling(table, flag);
  const text = value ?? spelling.value;
  return {
    kind: 'arg',
    name: spelling.fact?.name ?? flag,
    negated: spelling.how === 'negated',
    value: text === null ? null : canonicalValue(text),
  };
}

/** Words behind the first value of a flag belong to it: `--lora-modules a=x b=y`. */
function joinWords(literals: readonly Literal[]): Literal[] {
  const joined: Literal[] = [];
  for (const literal of literals) {
    const last = joined.at(-1);
    const isWord = literal.value === null && !literal.name.startsWith('-');
    if (isWord && last !== undefined && last.value !== null)
      joined[joined.length - 1] = { ...last, value: `${last.value} ${literal.name}` };
    else joined.push(literal);
  }
  return joined;
}

const isOff = (value: string): boolean => ['0', 'false', 'off', 'no'].includes(value.toLowerCase());

/** The argument that an environment variable sets; null where none does, or where it leaves a switch off. */
export function flagOfVariable(table: FlagTable, variable: string, value: string): FlagFact | null {
  const fact = table.flags.find((flag) => flag.env === variable && flag.name.startsWith('-'));
  return fact === undefined || (fact.type === 'boolean' && isOff(value)) ? null : fact;
}

function literalsOfPart(part: ReturnType<typeof partsOf>[number], table: FlagTable): Literal[] | null {
  switch (part.kind) {
    case 'args':
      return joinWords(part.args.map(({ flag, value }) => literalOfArg(flag, value, table)));
    case 'env':
      return Object.entries(part.env).map(([name, value]) => {
        // A variable that stands for an argument is read as that.
        const flag = flagOfVariable(table, name, value);
        const isSwitch = flag?.type === 'boolean';
        return {
          kind: flag === null ? 'env' : 'arg',
          name: flag?.name ?? name,
          negated: false,
          value: isSwitch ? null : value,
        };
      });
    case 'config':
      return Object.entries(part.entries).flatMap(([path, value]) =>
        leavesOf(value, path).map(
          ([name, leaf]): Literal => ({ kind: 'config', name, negated: false, value: leafText(leaf) }),
        ),
      );
    case 'request':
      return Object.entries(part.fields).map(([name, value]) => ({
        kind: 'request',
        name,
        negated: false,
        value: JSON.stringify(value),
      }));
    case 'unsupported':
      return null;
    default:
      return [];
  }
}

/** What a lowering wrote; null where a part of it is refused. */
export function literalsOf(lowered: Lowered, table: FlagTable): Literal[] | null {
  const parts = partsOf(lowered).map((part) => literalsOfPart(part, table));
  return parts.some((part) => part === null) ? null : parts.flatMap((part) => part ?? []);
}

/** The setting inside whose argument this one stands; null where it has a place of its own. */
export const carrierOf = (lowered: Lowered): SettingName | null =>
  partsOf(lowered).flatMap((part) => (part.kind === 'carried' ? [part.by] : []))[0] ?? null;

const isNumber = (text: string): boolean => /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text);
const TRUTHS: Readonly<Record<string, string>> = { true: 'true', false: 'false', yes: 'true', no: 'false' };

/** Whether two values mean one thing to an engine: letters of an enum in any case, numbers by amount. */
export function sameValue(a: string | null, b: string | null): boolean {
  if (a === null || b === null) return a === b;
  if (a === b) return true;
  if (isNumber(a) && isNumber(b)) return Number(a) === Number(b);
  const [left, right] = [a.toLowerCase(), b.toLowerCase()];
  return left === right || (TRUTHS[left] ?? left) === (TRUTHS[right] ?? right);
}

/** A switch may be written `--x`, `--x true` or `--no-x`. */
const asSwitch = (literal: Pick<Literal, 'negated' | 'value'>): boolean | null => {
  const truth = literal.value === null ? 'true' : (TRUTHS[literal.value.toLowerCase()] ?? literal.value.toLowerCase());
  return truth === 'true' || truth === 'false' ? (truth === 'true') !== literal.negated : null;
};

/** Names under which one thing may stand, an argument and an entry of the configuration file, by the name that counts. */
export type SameNames = ReadonlyMap<string, string>;

export function isNamed(literal: Literal, mark: Mark, same: SameNames): boolean {
  if (mark.kind === literal.kind && mark.name === literal.name) return true;
  const [a, b] = [same.get(mark.name ?? ''), same.get(literal.name)];
  return (
    mark.kind !== 'env' && mark.kind !== 'request' && (a ?? mark.name) === (b ?? literal.name) && (a ?? b) !== undefined
  );
}

export function matches(literal: Literal, mark: Mark, same: SameNames): boolean {
  if (!isNamed(literal, mark, same)) return false;
  const given = {
    negated: mark.spelling?.how === 'negated',
    value: mark.value === null ? null : canonicalValue(mark.value),
  };
  if (given.negated === literal.negated && sameValue(given.value, literal.value)) return true;
  const [a, b] = [asSwitch(given), asSwitch(literal)];
  return mark.fact?.type === 'boolean' && a !== null && a === b;
}

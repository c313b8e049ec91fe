import type { Mark } from '../mark';
import { isRecord } from '../read-yaml';
import type { Domain } from './domain';
import { type Literal, leafText, leavesOf, sameValue } from './literal';
import { type Key, type Site, tryLowering, type Values } from './lowering-trial';

/** Settings that stand inside the argument of another one, each with what it may be worth. */
export interface Carried {
  key: Key;
  domain: Domain;
}

/** What a carried setting is tried with: a value, a number that the text will tell, or nothing. */
export type Choice =
  | { key: Key; value: unknown }
  | { key: Key; probes: readonly [number, number] }
  | { key: Key; absent: true };

type Leaves = ReadonlyMap<string, string | null>;

/** An argument's value, a JSON value in its parts, by path. */
function leavesIn(name: string, value: string | null): [string, string | null][] {
  if (value === null || !value.trimStart().startsWith('{')) return [[name, value]];
  try {
    const parsed: unknown = JSON.parse(value);
    if (isRecord(parsed)) return leavesOf(parsed, name).map(([path, leaf]) => [path, leafText(leaf)]);
  } catch {
    return [[name, value]];
  }
  return [[name, value]];
}

const nameOf = ({ same }: Site, name: string): string => same.get(name) ?? name;
const leavesOfLiterals = (site: Site, literals: readonly Literal[]): Leaves =>
  new Map(literals.flatMap(({ name, value }) => leavesIn(nameOf(site, name), value)));
const leavesOfMarks = (site: Site, marks: readonly Mark[]): Leaves =>
  new Map(marks.flatMap(({ name, value }) => leavesIn(nameOf(site, name ?? ''), value)));

/** Parts that the first has and the second lacks or has otherwise. */
const added = (after: Leaves, before: Leaves): [string, string | null][] =>
  [...after].filter(([path, value]) => !before.has(path) || before.get(path) !== value);

/** One argument whose carried settings are chosen, with what it writes under other values. */
class Argument {
  private readonly given: Leaves;
  private readonly base: Map<Key, unknown>;

  constructor(
    private readonly site: Site,
    private readonly owner: Key,
    value: unknown,
    carried: readonly Carried[],
    values: Values,
  ) {
    this.given = leavesOfMarks(site, site.marks);
    const probes = carried.flatMap(({ key, domain }) =>
      domain.kind === 'number' ? [[key, domain.probes[0]] as const] : [],
    );
    this.base = new Map<Key, unknown>([...values, ...probes, [owner, value]]);
  }

  private write(all: Values): Leaves | null {
    const { literals } = tryLowering(this.site, this.owner, all.get(this.owner), all, true);
    return literals === null ? null : leavesOfLiterals(this.site, literals);
  }

  private bare(key: Key): Leaves | null {
    return this.write(new Map([...this.base].filter(([other]) => other !== key)));
  }

  private isThere([path, text]: [string, string | null]): boolean {
    return this.given.has(path) && sameValue(this.given.get(path) ?? null, text);
  }

  /** A number that the text will tell; null where the setting takes none of the probes. */
  numbers(key: Key, probes: readonly [number, number]): Choice[] | null {
    const full = this.write(this.base);
    const own = tryLowering(this.site, key, probes[0], this.base, true).literals;
    if (full === null || own === null) return null;
    const bare = this.bare(key);
    const parts = bare === null ? [] : added(full, bare);
    const present: Choice = { key, probes };
    const absent: Choice = { key, absent: true };
    const isPresent = parts.every(([path]) => this.given.has(path));
    return [...(isPresent ? [present] : []), ...(this.fitsWithout(parts, bare) ? [absent] : [])];
  }

  /** Whether what would be written without the setting is what is there. */
  private fitsWithout(parts: readonly [string, string | null][], bare: Leaves | null): boolean {
    return parts.every(([path]) =>
      bare?.has(path) ? this.isThere([path, bare.get(path) ?? null]) : !this.given.has(path),
    );
  }

  /** Values that write what is there; else those that write nothing, and none. */
  listed(key: Key, values: readonly unknown[]): Choice[] {
    const bare = this.bare(key);
    const fitting = values.flatMap((choice) => {
      const all = new Map([...this.base, [key, choice] as const]);
      const [text, own] = [this.write(all), tryLowering(this.site, key, choice, all, true)];
      if (text === null || own.literals === null) return [];
      const parts = bare === null ? [] : added(text, bare);
      return parts.every((part) => this.isThere(part)) ? [{ choice: { key, value: choice }, parts }] : [];
    });
    const written = fitting.filter(({ parts }) => parts.length > 0);
    const chosen = (written.length > 0 ? written : fitting).map(({ choice }): Choice => choice);
    const isFree = written.every(({ parts }) => this.fitsWithout(parts, bare));
    return isFree ? [...chosen, { key, absent: true }] : chosen;
  }
}

/**
 * The choices of each carried setting that fit what is given: a value that writes something must find it there, one
 * that writes nothing may hold or not.
 */
export function plausibleChoices(
  site: Site,
  owner: Key,
  value: unknown,
  carried: readonly Carried[],
  values: Values,
): Choice[][] {
  const argument = new Argument(site, owner, value, carried, values);
  return carried.map(({ key, domain }) =>
    domain.kind === 'list'
      ? argument.listed(key, domain.values)
      : (argument.numbers(key, domain.probes) ?? argument.listed(key, domain.given)),
  );
}

import { settingSchemas } from '../../plan/settings';
import type { Mark } from '../mark';
import { type Domain, domainOf } from './domain';
import { canonicalValue as canonical, isNamed, type Literal, matches } from './literal';
import { type Key, partsOf, type Site, tryLowering, type Values } from './lowering-trial';
import { type Carried, type Choice, plausibleChoices } from './plausible';
import { roundings } from './probe-values';
import { type Shift, solveNumbers } from './template';

/** Settings that come out of one or more marks together, a setting and those that its argument carries. */
export interface Group {
  settings: ReadonlyMap<Key, unknown>;
  /** Those of `settings` without which the marks would be the same: a node may need them, nothing else does. */
  optional: ReadonlySet<Key>;
  marks: readonly Mark[];
}

/** Combinations of carried values that are tried for one value of the carrying setting. */
const MAX_COMBINATIONS = 300;

/** The mark that counts for a literal: the last of its name. */
const markFor = (site: Site, literal: Literal): Mark | null =>
  site.marks.findLast((mark) => isNamed(literal, mark, site.same)) ?? null;

const withAll = (values: Values, more: Iterable<readonly [Key, unknown]>): Map<Key, unknown> =>
  new Map([...values, ...more]);

/** The group, where lowering its settings gives nothing but marks that are there. */
export function verify(site: Site, settings: ReadonlyMap<Key, unknown>, values: Values): Group | null {
  const all = withAll(values, settings);
  const marks = new Set<Mark>();
  for (const [key, value] of settings) {
    const { literals } = tryLowering(site, key, value, all);
    if (literals === null) return null;
    for (const literal of literals) {
      const mark = markFor(site, literal);
      if (mark === null || !matches(literal, mark, site.same)) return null;
      marks.add(mark);
    }
  }
  return marks.size === 0 ? null : { settings, optional: new Set(), marks: [...marks] };
}

/** Settings that stand inside the argument of this one, and those without which it is refused. */
function carriedBy(site: Site, key: Key, value: unknown, values: Values): Carried[] {
  const found = new Map<Key, Carried>();
  const others = new Set<Key>([key]);
  for (let round = 0; round < 5; round++) {
    const probes = [...found.values()].map(({ key: k, domain }) => [k, sampleOf(domain)] as const);
    const all = withAll(values, [[key, value], ...probes]);
    const fresh = [...tryLowering(site, key, value, all, true).read].filter((k) => !found.has(k) && !others.has(k));
    for (const candidate of fresh) {
      const domain = domainOf(partsOf(candidate).name, site.marks, found.size + 1);
      const isInside = domain !== null && belongs(site, key, value, { key: candidate, domain }, all);
      if (domain !== null && isInside) found.set(candidate, { key: candidate, domain });
      else others.add(candidate);
    }
    if (fresh.length === 0) break;
  }
  return [...found.values()];
}

/** Whether one setting stands inside the argument of another, or is what the other needs to be taken at all. */
function belongs(site: Site, key: Key, value: unknown, { key: candidate, domain }: Carried, values: Values): boolean {
  const samples = samplesOf(domain);
  if (samples.some((sample) => carries(site, key, candidate, sample, values))) return true;
  const at = (more: Iterable<readonly [Key, unknown]>) =>
    tryLowering(site, key, value, withAll(values, more), true).literals;
  return at([]) === null && samples.some((sample) => at([[candidate, sample]]) !== null);
}

const samplesOf = (domain: Domain): readonly unknown[] =>
  domain.kind === 'list' ? domain.values : [...domain.probes, ...domain.given];
const sampleOf = (domain: Domain): unknown => samplesOf(domain)[0];

const carries = (site: Site, key: Key, candidate: Key, sample: unknown, values: Values): boolean =>
  tryLowering(site, candidate, sample, withAll(values, [[candidate, sample]]), true).carriedBy === partsOf(key).name;

function* combinations(choices: readonly (readonly Choice[])[]): Generator<Choice[]> {
  const [first, ...rest] = choices;
  if (first === undefined) {
    yield [];
    return;
  }
  for (const choice of first) for (const others of combinations(rest)) yield [choice, ...others];
}

interface Unknown {
  key: Key;
  probes: readonly [number, number];
}

/** Numbers that the marks give for the unknowns; empty where their text has another form. */
function solveUnknowns(
  site: Site,
  keys: readonly Key[],
  known: Values,
  unknowns: readonly Unknown[],
): Map<Key, number> {
  const at = (key: Key, moved: Unknown | null): Literal[] | null => {
    const all = withAll(
      known,
      unknowns.map((u) => [u.key, u.probes[u === moved ? 1 : 0]] as const),
    );
    return tryLowering(site, key, all.get(key), all, true).literals;
  };
  const solved = new Map<Key, number>();
  for (const key of keys) {
    const shifted = unknowns.map((unknown) => ({ unknown, literals: at(key, unknown) }));
    for (const [i, literal] of (at(key, null) ?? []).entries()) {
      const given = markFor(site, literal)?.value ?? null;
      if (literal.value === null || given === null) continue;
      const shifts = shifted.flatMap(({ unknown, literals }): Shift[] => {
        const text = literals?.[i]?.value ?? null;
        const [from, to] = unknown.probes;
        return text === null ? [] : [{ variable: unknown.key, from, to, text }];
      });
      for (const [found, value] of solveNumbers(literal.value, shifts, canonical(given)) ?? []) {
        if (!solved.has(found)) solved.set(found, value);
      }
    }
  }
  return solved;
}

/** Every way to round the solved numbers to what the settings take. */
function* rounded(solved: readonly (readonly [Key, number])[]): Generator<[Key, number][]> {
  const [first, ...rest] = solved;
  if (first === undefined) {
    yield [];
    return;
  }
  for (const value of roundings(partsOf(first[0]).name, first[1])) {
    for (const others of rounded(rest)) yield [[first[0], value], ...others];
  }
}

function fromChoices(site: Site, owner: Choice, choices: readonly Choice[], values: Values): Group | null {
  const all = [owner, ...choices];
  const unknowns = all.flatMap((c) => ('probes' in c ? [{ key: c.key, probes: c.probes }] : []));
  const fixed = all.flatMap((c) => ('value' in c ? [[c.key, c.value] as const] : []));
  const absent = new Set(all.flatMap((c) => ('absent' in c ? [c.key] : [])));
  const known = new Map([...values, ...fixed].filter(([key]) => !absent.has(key)));
  const keys = all.flatMap((c) => ('absent' in c ? [] : [c.key]));
  const solved = solveUnknowns(site, keys, known, unknowns);
  if (unknowns.some(({ key }) => !solved.has(key))) return null;
  for (const numbers of rounded([...solved])) {
    const group = verify(site, new Map<Key, unknown>([...fixed, ...numbers]), known);
    if (group !== null) return group;
  }
  return null;
}

/** Shares as people write them: those that a conversion takes may lie in a narrow range. */
const HUNDREDTHS: readonly number[] = Array.from({ length: 99 }, (_, i) => (i + 1) / 100);

/**
 * Counts that the form of the argument does not tell: those at the edge, which an engine may write in another form
 * (`0` for one thread, `0-7` for eight), and those that stand elsewhere (one rank of experts a device is a bare flag).
 */
function knownNumbers(
  site: Site,
  key: Key,
  { probes, given }: Extract<Domain, { kind: 'number' }>,
  values: Values,
): number[] {
  const elsewhere = [...values.values()].filter((value) => typeof value === 'number');
  const schema = settingSchemas[partsOf(key).name];
  const all = new Set([0, 1, site.hardware.count, ...elsewhere, ...given, ...(probes[0] < 1 ? HUNDREDTHS : [])]);
  return [...all].filter((value) => schema.safeParse(value).success);
}

/** Whether the value writes an argument that is not there, whatever the others are: most settings of most starts. */
function writesElse(site: Site, key: Key, value: unknown, values: Values): boolean {
  const { literals } = tryLowering(site, key, value, withAll(values, [[key, value]]), true);
  return literals?.some((literal) => markFor(site, literal) === null) === true;
}

/** Every reading of the marks as a value of the setting and of those that its argument carries. */
function* readings(site: Site, key: Key, domain: Domain, values: Values): Generator<Group> {
  const owners: Choice[] =
    domain.kind === 'number'
      ? [{ key, probes: domain.probes }, ...knownNumbers(site, key, domain, values).map((value) => ({ key, value }))]
      : domain.values.map((value) => ({ key, value }));
  for (const owner of owners) {
    const sample = 'value' in owner ? owner.value : 'probes' in owner ? owner.probes[0] : null;
    if (writesElse(site, key, sample, values)) continue;
    let tried = 0;
    const choices = plausibleChoices(site, key, sample, carriedBy(site, key, sample, values), values);
    for (const chosen of combinations(choices)) {
      if (++tried > MAX_COMBINATIONS) break;
      const group = fromChoices(site, owner, chosen, values);
      if (group !== null) yield group;
    }
  }
}

/** The setting and what its argument carries, where the marks hold them; of several readings the one that explains most. */
export function recoverGroup(site: Site, key: Key, values: Values): Group | null {
  const told = site.told.get(key);
  const found = told === undefined ? null : bestReading(site, key, { kind: 'list', values: [told] }, values);
  const domain = found === null ? domainOf(partsOf(key).name, site.marks, 0) : null;
  return domain === null ? found : bestReading(site, key, domain, values);
}

function bestReading(site: Site, key: Key, domain: Domain, values: Values): Group | null {
  const all = [...readings(site, key, domain, values)];
  const most = Math.max(0, ...all.map(({ marks }) => marks.length));
  const equal = all.filter(({ marks }) => marks.length === most);
  const [first] = equal;
  if (first === undefined) return null;
  const same = equal.filter(({ settings }) => settings.get(key) === first.settings.get(key));
  const bySize = same.sort((a, b) => b.settings.size - a.settings.size);
  const [fullest = first, least = first] = [bySize[0], bySize.at(-1)];
  const optional = new Set([...fullest.settings.keys()].filter((k) => !least.settings.has(k)));
  return { ...fullest, optional };
}

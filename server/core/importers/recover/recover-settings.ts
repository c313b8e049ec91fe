import { SETTING_NAMES, type SettingName } from '../../plan/settings';
import type { Mark } from '../mark';
import { type Key, keyOf, type Site, type Values } from './lowering-trial';
import { type Group, recoverGroup, verify } from './recover-group';

/** Not read from marks: weights and keys have readers of their own. */
const ELSEWHERE: readonly SettingName[] = ['weightsFormat', 'apiKeySecret'];
const KEYS: readonly Key[] = [
  ...SETTING_NAMES.filter((name) => !ELSEWHERE.includes(name)).map((name) => keyOf(name)),
  keyOf('tensorParallel', 'draft'),
  keyOf('kvCacheKeyType', 'draft'),
  keyOf('kvCacheValueType', 'draft'),
];

/** Settings depend on each other (a step budget on the sequences); they settle in a few rounds. */
const MAX_ROUNDS = 6;

interface Round {
  groups: Group[];
  values: Map<Key, unknown>;
}

const without = (values: Values, key: Key): Map<Key, unknown> =>
  new Map([...values].filter(([other]) => other !== key));

interface Candidate {
  key: Key;
  group: Group;
}

function candidates(site: Site, before: Values, values: Values, banned: ReadonlySet<Key>): Candidate[] {
  if (site.marks.length === 0) return [];
  return KEYS.flatMap((key): Candidate[] => {
    if (banned.has(key) || values.has(key)) return [];
    const group = recoverGroup(site, key, new Map([...without(before, key), ...values]));
    const isFree = group !== null && ![...group.settings.keys()].some((k) => banned.has(k) || values.has(k));
    return group !== null && isFree ? [{ key, group }] : [];
  });
}

/** Settings that the file itself names come first, then readings of many marks. */
function rank({ named }: Site, { settings, marks, optional }: Group): number {
  const needed = [...settings.keys()].filter((key) => !optional.has(key));
  return marks.length + (named !== null && needed.every((key) => named.has(key)) ? 1000 : 0);
}

interface State {
  taken: ReadonlySet<Mark>;
  values: Values;
  before: Values;
}

const allValues = (key: Key, { values, before }: State): Map<Key, unknown> =>
  new Map([...without(before, key), ...values]);

/** A reading that shares entries of a configuration file, as several ask for sampling, and has one of its own. */
function sharing(site: Site, key: Key, { settings, marks }: Group, state: State): Group | null {
  const shared = marks.filter((mark) => state.taken.has(mark));
  const isShared = shared.length < marks.length && shared.every(({ kind }) => kind === 'config');
  return isShared ? verify(site, settings, allValues(key, state)) : null;
}

/** The reading where its marks are still there, else another one of the same setting; null where there is none. */
function settle(site: Site, key: Key, group: Group, banned: ReadonlySet<Key>, state: State): Group | null {
  const { taken, values, before } = state;
  if (values.has(key)) return null;
  const rest = { ...site, marks: site.marks.filter((mark) => !taken.has(mark)) };
  const isFree = ![...group.settings.keys()].some((k) => values.has(k));
  const isWhole = isFree && group.marks.every((mark) => !taken.has(mark));
  if (isWhole && verify(rest, group.settings, allValues(key, state)) !== null) return group;
  const others = new Set(KEYS.filter((k) => k !== key || banned.has(k)));
  const [other] = candidates(rest, before, values, others);
  return other?.group ?? (isFree ? sharing(site, key, group, state) : null);
}

/** Readings of many marks before those of few: data-parallel attention is two flags, whole copies are one of them. */
function runRound(site: Site, fixed: Values, before: Values, banned: ReadonlySet<Key>): Round {
  const values = new Map(fixed);
  const groups: Group[] = [];
  const taken = new Set<Mark>();
  const found = candidates(site, before, values, banned);
  for (const { key, group } of found.sort((a, b) => rank(site, b.group) - rank(site, a.group))) {
    const settled = settle(site, key, group, banned, { taken, values, before });
    if (settled === null) continue;
    groups.push(settled);
    for (const mark of settled.marks) taken.add(mark);
    for (const [k, value] of settled.settings) values.set(k, value);
  }
  return { groups, values };
}

const textOf = (values: Values): string => JSON.stringify([...values].sort(([a], [b]) => (a < b ? -1 : 1)));

/**
 * The settings that lead to the marks: the inverse of an engine's lowering table, found by lowering candidates and
 * comparing. What is given back lowers to its marks exactly; a mark that no setting explains is in no group.
 * `fixed`: settings that are known already. `banned`: settings that the graph has no node for.
 */
export function recoverSettings(site: Site, fixed: Values, banned: ReadonlySet<Key>): Group[] {
  let before: Values = fixed;
  let round = runRound(site, fixed, before, banned);
  for (let i = 1; i < MAX_ROUNDS && textOf(round.values) !== textOf(before); i++) {
    before = round.values;
    round = runRound(site, fixed, before, banned);
  }
  return round.groups.filter((group) => verify(site, group.settings, round.values) !== null);
}

import { REQUEST_SETTINGS, SETTING_NAMES, type SettingName } from '../../plan/settings';
import type { Mark } from '../mark';
import { type Key, keyOf, type Site, type Values } from './lowering-trial';
import { type Group, recoverGroup, verify } from './recover-group';

/** Not read from marks: weights and keys have readers of their own, requests are no part of a launch. */
const ELSEWHERE: readonly SettingName[] = ['weightsFormat', 'apiKeySecret', ...REQUEST_SETTINGS];
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

function runRound(site: Site, fixed: Values, before: Values, banned: ReadonlySet<Key>): Round {
  const values = new Map(fixed);
  const groups: Group[] = [];
  const taken = new Set<Mark>();
  for (const key of KEYS) {
    if (banned.has(key) || values.has(key)) continue;
    const marks = site.marks.filter((mark) => !taken.has(mark));
    if (marks.length === 0) break;
    const group = recoverGroup({ ...site, marks }, key, new Map([...without(before, key), ...values]));
    if (group === null || [...group.settings.keys()].some((k) => banned.has(k) || values.has(k))) continue;
    groups.push(group);
    for (const mark of group.marks) taken.add(mark);
    for (const [k, value] of group.settings) values.set(k, value);
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

import type { Scope, SettingName } from '../plan/settings';
import type { Mark } from './mark';
import { type PlacedNode, placeSettings } from './place-settings';
import { type Key, keyOf, partsOf, type Site, type Values } from './recover/lowering-trial';
import { recoverCarried } from './recover/recover-carried';
import { type Group, verify } from './recover/recover-group';
import { recoverSettings } from './recover/recover-settings';

export interface RecoveredNodes {
  target: PlacedNode[];
  draft: PlacedNode[];
  marks: Mark[];
  values: Values;
}

/** Settings of one scope, by name. */
function inScope(values: Iterable<readonly [Key, unknown]>, scope: Scope): Map<SettingName, unknown> {
  return new Map(
    [...values].filter(([key]) => partsOf(key).scope === scope).map(([key, value]) => [partsOf(key).name, value]),
  );
}

function place(site: Site, groups: readonly Group[], fixed: Values, scope: 'target' | 'draft', hasDraft: boolean) {
  const needed = groups.flatMap(({ settings, optional }) =>
    [...settings].filter(([key]) => !optional.has(key) || site.named?.has(key)),
  );
  const found = new Map([...fixed, ...groups.flatMap((group) => [...group.settings])]);
  const carried = recoverCarried(site, found);
  needed.push(...[...carried].filter(([key]) => site.named?.has(key)));
  const asked = [...fixed].filter(([key]) => partsOf(key).name !== 'weightsFormat');
  const settings = inScope([...asked, ...needed], scope);
  const defaults = Object.entries(site.defaults).map(([name, { value }]): [Key, unknown] => [name, value]);
  const known = inScope([...defaults, ...site.told, ...carried, ...found], scope);
  return placeSettings({ settings, known, hasDraft: scope === 'target' && hasDraft });
}

/** Settings without a node: their marks stay raw, and nothing may be read from them. */
function refused(groups: readonly Group[], left: readonly Key[]): Key[] {
  return groups
    .filter(({ settings }) => left.some((key) => settings.has(key)))
    .flatMap(({ settings }) => [...settings.keys()]);
}

/** Settings that no node asks for. */
const leftOf = (site: Site, groups: readonly Group[], fixed: Values, hasDraft: boolean): Key[] =>
  (['target', 'draft'] as const).flatMap((scope) =>
    place(site, groups, fixed, scope, hasDraft).left.map((name) => keyOf(name, scope)),
  );

/** A setting without a node that changes nothing of the marks is let go: a chain of drafts is a tree with one branch. */
function withoutSurplus(site: Site, groups: readonly Group[], left: readonly Key[], fixed: Values): Group[] {
  if (left.length === 0) return [...groups];
  const all = [...fixed, ...groups.flatMap(({ settings }) => [...settings])];
  const values = new Map(all.filter(([key]) => !left.includes(key)));
  return groups.map((group) => {
    const settings = new Map([...group.settings].filter(([key]) => !left.includes(key)));
    if (settings.size === group.settings.size || settings.size === 0) return group;
    const less = verify(site, settings, values);
    return less?.marks.length === group.marks.length ? { ...less, optional: group.optional } : group;
  });
}

/** As often as there may be settings without a node one after the other. */
const MAX_ROUNDS = 12;

/** Nodes for everything that marks and requests say, and the marks that they stand for. */
export function recoverNodes(site: Site, fixed: Values): RecoveredNodes {
  const hasDraft = site.checkpoint('draft') !== null;
  const banned = new Set<Key>();
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const found = recoverSettings(site, fixed, banned);
    const groups = withoutSurplus(site, found, leftOf(site, found, fixed, hasDraft), fixed);
    const target = place(site, groups, fixed, 'target', hasDraft);
    const draft = place(site, groups, fixed, 'draft', hasDraft);
    const left = leftOf(site, groups, fixed, hasDraft);
    const more = refused(groups, left).filter((key) => !banned.has(key));
    if (more.length === 0) {
      const marks = groups.flatMap((group) => group.marks);
      const values = new Map([...fixed, ...groups.flatMap((group) => [...group.settings])]);
      return { target: target.nodes, draft: draft.nodes, marks, values };
    }
    for (const key of more) banned.add(key);
  }
  return { target: [], draft: [], marks: [], values: fixed };
}

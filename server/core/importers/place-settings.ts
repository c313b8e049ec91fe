import { NODE_TYPES } from '../catalog/index';
import type { NodeType } from '../catalog/node-type';
import { describeParams } from '../catalog/param';
import { canonicalText } from '../plan/canonical';
import { JOINED_SETTINGS, SETTING_NAMES, type SettingName } from '../plan/settings';
import { isRecord } from './read-yaml';

/** A node that asks for settings. */
export interface PlacedNode {
  type: NodeType;
  params: Record<string, unknown>;
  settings: readonly SettingName[];
}

type Known = ReadonlyMap<SettingName, unknown>;

export interface Wanted {
  /** What the graph must ask for. */
  settings: Known;
  /** What holds beside it, asked for or the engine's default: a node may say it again. */
  known: Known;
  /** Whether a draft model can be connected. */
  hasDraft: boolean;
}

const same = (a: unknown, b: unknown): boolean => canonicalText(a ?? null) === canonicalText(b ?? null);

/** What a node of that type asks for; null where the parameters are not its. */
export function settingsOf(type: NodeType, params: Record<string, unknown>): Map<SettingName, unknown> | null {
  const parsed = type.params.safeParse(params);
  if (!parsed.success) return null;
  const applied = type.apply(parsed.data as never) as Partial<Record<SettingName, { value: unknown }>>;
  return new Map(
    SETTING_NAMES.flatMap((name) => {
      const setting = applied[name];
      return setting === undefined ? [] : [[name, setting.value] as const];
    }),
  );
}

const GIB = 1024 ** 3;

/** What a parameter may be worth to give a setting: the value, in other units, a word for it, or nothing. */
function candidates(type: NodeType, field: string, target: unknown): unknown[] {
  const described = describeParams(type).find(({ name }) => name === field);
  const scaled =
    typeof target === 'number' ? [target, target / GIB, target / 1e9, target * 100, target / 100] : [target];
  const words = described?.options ?? [];
  return [...scaled, ...words, true, false, null];
}

/** Parameters by the names of a list's one entry. */
function fieldsOf(type: NodeType, target: unknown): Record<string, unknown> {
  const entry: unknown = Array.isArray(target) && target.length === 1 ? target[0] : null;
  if (!isRecord(entry)) return {};
  return Object.fromEntries(Object.entries(entry).filter(([field]) => Object.hasOwn(type.params.shape, field)));
}

/** Parameters with one setting brought to its target; null where no parameter does that. */
function adjust(
  type: NodeType,
  params: Record<string, unknown>,
  name: SettingName,
  target: unknown,
): Record<string, unknown> | null {
  const whole = { ...params, ...fieldsOf(type, target) };
  if (same(settingsOf(type, whole)?.get(name), target)) return whole;
  for (const field of Object.keys(type.params.shape)) {
    for (const value of candidates(type, field, target)) {
      const tried = { ...params, [field]: value };
      const settings = settingsOf(type, tried);
      const fits = target === undefined ? settings?.has(name) === false : same(settings?.get(name), target);
      if (settings !== null && fits) return tried;
    }
  }
  return null;
}

/** Parameters for which the node asks for nothing but what is wanted or holds anyway; null where it cannot. */
function fitNode(type: NodeType, { settings, known }: Wanted): PlacedNode | null {
  let params: Record<string, unknown> = {};
  const target = (name: SettingName): unknown => settings.get(name) ?? known.get(name);
  for (let round = 0; round < 3; round++) {
    for (const name of type.settings) {
      const now = settingsOf(type, params);
      if (now === null) return null;
      const goal = target(name);
      if (now.has(name) ? same(now.get(name), goal) : !settings.has(name)) continue;
      params = adjust(type, params, name, goal) ?? params;
    }
  }
  const asked = settingsOf(type, params);
  if (asked === null || hasFaults(type, params) || ![...asked].every(([name, value]) => same(value, target(name))))
    return null;
  return { type, params: written(type, params), settings: [...asked.keys()] };
}

const hasFaults = (type: NodeType, params: Record<string, unknown>): boolean =>
  (type.faults?.(type.params.parse(params) as never) ?? []).length > 0;

/** Parameters that the settings come from, and those that were brought to something else than their default. */
function written(type: NodeType, params: Record<string, unknown>): Record<string, unknown> {
  const parsed = type.params.parse(params) as Record<string, unknown>;
  const applied = Object.values(type.apply(parsed as never)).map(({ field }) => field);
  const fields = [...new Set([...Object.keys(type.params.shape)])].filter(
    (field) => applied.includes(field) || Object.hasOwn(params, field),
  );
  const unset = describeParams(type)
    .filter((p) => p.default === null)
    .map(({ name }) => name);
  return Object.fromEntries(
    fields.filter((field) => parsed[field] !== null || !unset.includes(field)).map((field) => [field, parsed[field]]),
  );
}

const needsDraft = (type: NodeType): boolean => type.inputs.some((port) => port.scope === 'draft' && port.required);

/** Node types that ask for settings; those that say where weights come from are placed by what made them. */
const placeable = (type: NodeType): boolean => type.settings.length > 0 && type.checkpoint === undefined;

interface Option extends PlacedNode {
  /** Wanted settings that no node asks for yet. */
  gain: number;
  /** Settings that it asks for beside them. */
  excess: number;
}

function optionsFor(wanted: Wanted, open: ReadonlySet<SettingName>): Option[] {
  return NODE_TYPES.filter((type) => placeable(type) && type.settings.some((name) => open.has(name)))
    .filter((type) => wanted.hasDraft || !needsDraft(type))
    .flatMap((type): Option[] => {
      const node = fitNode(type, wanted);
      if (node === null) return [];
      const gain = node.settings.filter((name) => open.has(name)).length;
      return gain === 0 ? [] : [{ ...node, gain, excess: node.settings.length - gain }];
    });
}

/** Nodes that together ask for the settings, few and with little else; and the settings that none can ask for. */
export function placeSettings(wanted: Wanted): { nodes: PlacedNode[]; left: SettingName[] } {
  const { first, more } = splitLists(wanted);
  const nodes: PlacedNode[] = [];
  const open = new Set(wanted.settings.keys());
  while (open.size > 0) {
    const [best] = optionsFor(first, open).sort((a, b) => b.gain - a.gain || a.excess - b.excess);
    if (best === undefined) break;
    nodes.push({ type: best.type, params: best.params, settings: best.settings });
    for (const name of best.settings) open.delete(name);
  }
  for (const { name, value } of more) {
    const single: Wanted = { settings: new Map([[name, value]]), known: new Map(), hasDraft: false };
    const [best] = optionsFor(single, new Set([name]));
    if (best === undefined) open.add(name);
    else nodes.push({ type: best.type, params: best.params, settings: best.settings });
  }
  return { nodes, left: [...open] };
}

/** Lists that several nodes add to: the first entry for one node, every other for a node of its own. */
function splitLists(wanted: Wanted): { first: Wanted; more: { name: SettingName; value: unknown }[] } {
  const settings = new Map(wanted.settings);
  const more: { name: SettingName; value: unknown }[] = [];
  for (const name of JOINED_SETTINGS) {
    const list = settings.get(name);
    if (!Array.isArray(list) || list.length < 2) continue;
    settings.set(name, list.slice(0, 1));
    more.push(...list.slice(1).map((entry) => ({ name, value: [entry] })));
  }
  return { first: { ...wanted, settings, known: new Map([...wanted.known, ...settings]) }, more };
}

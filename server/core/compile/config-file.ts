import { stringify } from 'yaml';
import type { Engine } from '../engines/engine';
import { canonicalText } from '../plan/canonical';
import { type Finding, finding } from '../plan/finding';
import type { Component, ConfigEntry } from '../plan/plan';

type Tree = { [key: string]: unknown };

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Puts entries of dotted paths into one document; the order of the entries is the order of the keys. */
function treeOf(entries: readonly ConfigEntry[]): Tree {
  const root: Tree = {};
  for (const { path, value } of entries) {
    const keys = path.split('.');
    const last = keys.pop() ?? path;
    let at = root;
    for (const key of keys) {
      const next = at[key];
      const inner = isTree(next) ? next : {};
      at[key] = inner;
      at = inner;
    }
    const present = at[last];
    at[last] = isTree(value) ? { ...(isTree(present) ? present : {}), ...value } : value;
  }
  return root;
}

/** Entries of one path that differ, or one entry inside another that is no block. */
export function configClashes(entries: readonly ConfigEntry[]): Finding[] {
  return entries.flatMap((entry, index) =>
    entries.slice(0, index).flatMap((earlier): Finding[] => {
      const isSame = earlier.path === entry.path;
      const isInside = entry.path.startsWith(`${earlier.path}.`) || earlier.path.startsWith(`${entry.path}.`);
      if (!isSame && !isInside) return [];
      const outer = earlier.path.length <= entry.path.length ? earlier : entry;
      if (isSame ? canonicalText(earlier.value) === canonicalText(entry.value) : isTree(outer.value)) return [];
      const message = `${earlier.setting} and ${entry.setting} both set ${outer.path} of the configuration file: ${JSON.stringify(earlier.value)} and ${JSON.stringify(entry.value)}.`;
      return [finding('error', 'config-clash', message, { nodeId: entry.nodeId ?? earlier.nodeId })];
    }),
  );
}

/** The engine's configuration file; null where nothing stands in it. The same entries give the same bytes. */
export function configFileOf(engine: Engine, entries: readonly ConfigEntry[]): Component['files'][number] | null {
  if (engine.configFile === undefined || entries.length === 0) return null;
  const { path, format } = engine.configFile;
  const tree = treeOf(entries);
  // No anchors and no folded lines: a reader sees every value where it counts.
  const content =
    format === 'json'
      ? `${JSON.stringify(tree, null, 2)}\n`
      : stringify(tree, { lineWidth: 0, aliasDuplicateObjects: false });
  return { path, content };
}

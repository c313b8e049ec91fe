import { Document } from 'yaml';
import type { Engine } from '../../engines/engine';
import { type Finding, finding } from '../../plan/finding';
import type { ConfigEntry } from '../../plan/plan';
import { oneLine } from '../comment';
import type { Launch } from '../launch';
import { commentAt } from '../yaml-comments';

type Tree = { [key: string]: unknown };

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Nested maps of the entries' dotted paths; two entries of one place that differ give a finding. */
export function nestEntries(entries: readonly ConfigEntry[]): { tree: Tree; findings: Finding[] } {
  const tree: Tree = {};
  const findings: Finding[] = [];
  for (const entry of entries) {
    const keys = entry.path.split('.');
    const last = keys.pop() ?? entry.path;
    let at = tree;
    for (const key of keys) {
      const inner = at[key];
      if (isTree(inner)) at = inner;
      else {
        const made: Tree = {};
        at[key] = made;
        at = made;
      }
    }
    if (last in at && JSON.stringify(at[last]) !== JSON.stringify(entry.value)) {
      const message = `${entry.path} is asked to be ${JSON.stringify(at[last])} and ${JSON.stringify(entry.value)}; the file has the second.`;
      findings.push(finding('warning', 'config-clash', message, { nodeId: entry.nodeId }));
    }
    at[last] = entry.value;
  }
  return { tree, findings };
}

function originOfEntry({ setting, scope, nodeId, note }: ConfigEntry, launch: Launch): string {
  const name = setting === null ? 'fixed' : scope === 'target' ? setting : `${scope}.${setting}`;
  const asker = nodeId === null ? 'needed by the workload' : `node ${nodeId}`;
  const carried = launch.carried.filter(({ by }) => by === setting).map((c) => `${c.setting}, node ${c.nodeId ?? '?'}`);
  return oneLine([`${name}, ${asker}${note === null ? '' : `: ${note}`}`, ...carried].join('; '));
}

/** Entries of a JSON file with their origin, for the script beside it: JSON has no comments. */
export const entryOrigins = (launch: Launch): string[] =>
  launch.config.map((entry) => `${entry.path}: ${originOfEntry(entry, launch)}`);

/** Text of an engine's YAML or JSON file. In YAML the origin stands behind each value; JSON has no comments. */
export function configFileText(
  launch: Launch,
  format: 'yaml' | 'json',
  head: readonly string[],
): { text: string; findings: Finding[] } {
  const { tree, findings } = nestEntries(launch.config);
  if (format === 'json') return { text: `${JSON.stringify(tree, null, 2)}\n`, findings };
  const document = new Document(tree, { aliasDuplicateObjects: false });
  for (const entry of launch.config) commentAt(document, entry.path.split('.'), originOfEntry(entry, launch));
  document.commentBefore = head.map((line) => ` ${oneLine(line)}`).join('\n');
  return { text: document.toString({ lineWidth: 0 }), findings };
}

/** Last part of the path at which an engine's configuration file is written. */
export const configFileName = (engine: Engine): string | null => engine.configFile?.path.split('/').pop() ?? null;

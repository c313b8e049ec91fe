import type { Participant } from '../pipeline/expand';
import { isSameValue } from '../plan/canonical';
import { type Finding, finding } from '../plan/finding';
import {
  type AskedSetting,
  JOINED_SETTINGS,
  SCOPES,
  type Scope,
  SETTING_NAMES,
  type SettingName,
} from '../plan/settings';

/** Place of a setting in the table, and of a scope among the scopes: the order of every list. */
const NAME_ORDER = new Map<SettingName, number>(SETTING_NAMES.map((name, index) => [name, index]));
const SCOPE_ORDER = new Map<Scope, number>(SCOPES.map((scope, index) => [scope, index]));
const orderOf = ({ scope, name }: Pick<AskedSetting, 'scope' | 'name'>): number =>
  (SCOPE_ORDER.get(scope) ?? 0) * SETTING_NAMES.length + (NAME_ORDER.get(name) ?? 0);

/** What an arm asks for, by scope and name. Origin `workload` stands in nodeId where no node asked. */
export class AskedSettings {
  private readonly byScope: Partial<Record<Scope, Map<SettingName, AskedSetting>>> = {};
  private sorted: readonly AskedSetting[] | null = null;

  get<K extends SettingName>(name: K, scope: Scope = 'target'): AskedSetting<K> | null {
    return (this.byScope[scope]?.get(name) as AskedSetting<K> | undefined) ?? null;
  }
  set(asked: AskedSetting): void {
    const inScope = this.byScope[asked.scope] ?? new Map<SettingName, AskedSetting>();
    this.byScope[asked.scope] = inScope.set(asked.name, asked);
    this.sorted = null;
  }
  remove({ scope, name }: AskedSetting): void {
    this.byScope[scope]?.delete(name);
    this.sorted = null;
  }
  copy(): AskedSettings {
    const copied = new AskedSettings();
    for (const asked of this.list()) copied.set(asked);
    return copied;
  }
  /** Target first, then the other scopes; settings in the order of the table. */
  list(): readonly AskedSetting[] {
    this.sorted ??= Object.values(this.byScope)
      .flatMap((inScope) => [...inScope.values()])
      .sort((a, b) => orderOf(a) - orderOf(b));
    return this.sorted;
  }
}

/** Origin of a setting that the workload needs and nobody set. */
export const WORKLOAD_ORIGIN = 'workload';

function settingsOf(participant: Participant): AskedSetting[] {
  const { node, type, scope, params } = participant;
  const settings = type.apply(params as never) as Partial<Record<SettingName, { value: unknown; field: string }>>;
  return (Object.keys(settings) as SettingName[])
    .sort((a, b) => (NAME_ORDER.get(a) ?? 0) - (NAME_ORDER.get(b) ?? 0))
    .flatMap((name): AskedSetting[] => {
      const setting = settings[name];
      return setting ? [{ scope, name, value: setting.value as never, nodeId: node.id, field: setting.field }] : [];
    });
}

const show = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

function conflict(first: AskedSetting, second: AskedSetting): Finding[] {
  const scope = first.scope === 'target' ? '' : ` of the ${first.scope} model`;
  const values = `${show(first.value)} in "${first.nodeId}", ${show(second.value)} in "${second.nodeId}"`;
  const message = `Two nodes set ${first.name}${scope} differently: ${values}. Remove or bypass one.`;
  return [first, second].map(({ nodeId, field }) => {
    const fix: Finding['fix'] = { label: 'Bypass this node', edits: [{ op: 'set-bypass', nodeId, bypassed: true }] };
    return finding('error', 'setting-conflict', message, { nodeId, field, fix });
  });
}

const isJoined = (asked: AskedSetting): boolean => (JOINED_SETTINGS as readonly SettingName[]).includes(asked.name);

type Named = { name: string };

/** A list that several nodes add to, in their order; equal entries once. Null: one name stands for two things. */
function join(earlier: AskedSetting, more: AskedSetting): AskedSetting | null {
  const list = [...(earlier.value as Named[])];
  for (const entry of more.value as Named[]) {
    const same = list.find((known) => known.name === entry.name);
    if (same === undefined) list.push(entry);
    else if (!isSameValue(same, entry)) return null;
  }
  return { ...earlier, value: list as never };
}

/** Settings of all nodes of an arm. Two nodes that set one setting of one scope differently are an error. */
export function askSettings(participants: readonly Participant[]): { asked: AskedSettings; findings: Finding[] } {
  const asked = new AskedSettings();
  const findings: Finding[] = [];
  for (const setting of participants.flatMap(settingsOf)) {
    const earlier = asked.get(setting.name, setting.scope);
    const both = earlier && isJoined(setting) ? join(earlier, setting) : null;
    if (!earlier) asked.set(setting);
    else if (both) asked.set(both);
    else if (!isSameValue(earlier.value, setting.value)) findings.push(...conflict(earlier, setting));
  }
  return { asked, findings };
}

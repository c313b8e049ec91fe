import type { Compiled } from '@/server/core/compile/compiled';
import type { Arg } from '@/server/core/plan/plan';

/** One argument that a node or a field became. */
export interface FlagLine {
  engine: string;
  /** `--flag value` as it stands in the plan; request fields as `name: value`. */
  text: string;
  note: string | null;
  isDefault: boolean;
}

const settingOf = (key: string): string => key.split('.').at(-1) ?? key;

/** Settings that the node (or one field of it) asked for in any plan. */
function settingsAskedBy(compiled: Compiled, nodeId: string, field: string | null): Set<string> {
  const names = new Set<string>();
  for (const plan of compiled.plans) {
    for (const [key, setting] of Object.entries(plan.settings)) {
      if (setting.origin === nodeId && (field === null || setting.field === field)) names.add(settingOf(key));
    }
  }
  return names;
}

/** What the node, or one field of it, became in the compiled plans: each line once, in plan order. */
export function flagLines(compiled: Compiled | null, nodeId: string, field: string | null = null): FlagLine[] {
  if (!compiled) return [];
  const settings = settingsAskedBy(compiled, nodeId, field);
  const belongs = (arg: Arg) =>
    arg.nodeId === nodeId && (arg.setting === null ? field === null : settings.has(arg.setting));
  const lines = new Map<string, FlagLine>();
  for (const { engine, args } of compiled.plans.flatMap((plan) => plan.components)) {
    for (const { flag, value, note, isDefault } of args.filter(belongs)) {
      const text = value === null ? flag : `${flag} ${value}`;
      lines.set(`${engine} ${text}`, { engine, text, note, isDefault });
    }
  }
  return [...lines.values()];
}

import type { Edit, Finding } from '../plan/finding';
import { finding } from '../plan/finding';
import type { SettingName } from '../plan/settings';
import type { Rule, RuleContext } from './rule';

type Where = Partial<Pick<Finding, 'nodeId' | 'field' | 'fix'>>;

/** A finding of a rule: the rule's id is its code, the rule's source is its source. */
export const judged = (
  rule: Pick<Rule, 'id' | 'source'>,
  severity: Finding['severity'],
  message: string,
  where: Where = {},
): Finding => finding(severity, rule.id, message, { source: rule.source, ...where });

/** The rule could not be judged: names the rule and the fact that nobody recorded. */
export const notChecked = (rule: Pick<Rule, 'id' | 'source' | 'summary'>, fact: string, where: Where = {}): Finding =>
  finding('info', 'not-checked', `not checked: ${fact} is unknown (${rule.summary})`, {
    source: rule.source,
    ...where,
  });

/** Node and field that asked for a setting, if a node of the graph did. */
export function placeOf(ctx: RuleContext, name: SettingName): { nodeId: string | null; field: string | null } {
  const asked = ctx.asked(name);
  const isNode = asked !== null && ctx.nodes.some((node) => node.id === asked.nodeId);
  return isNode ? { nodeId: asked.nodeId, field: asked.field } : { nodeId: null, field: null };
}

/** A quick fix that sets one parameter where a node of the graph holds it; null otherwise. */
export function fixParam(
  place: { nodeId: string | null; field: string | null },
  value: unknown,
  label: string,
): { label: string; edits: Edit[] } | null {
  if (place.nodeId === null || place.field === null) return null;
  return { label, edits: [{ op: 'set-param', nodeId: place.nodeId, field: place.field, value }] };
}

/** Highest number of clients of a workload's closed loops; 0 where it has none. */
export const closedConcurrency = (workload: RuleContext['workloads'][number]): number =>
  Math.max(0, ...workload.loads.map((load) => (load.mode === 'closed' ? load.concurrency : 0)));

export const isLlamaCpp = (ctx: RuleContext): boolean => ctx.engine.id === 'llama.cpp';

import { type Finding, finding } from '../plan/finding';
import type { Policies } from '../plan/policies';

/** One thing that the policies around an engine ask for: a field that is set, or one rate limit. */
export interface PolicyEntry {
  /** `gateway.maxInFlight`, `gateway.rateLimits[0]`, `scaling.maxReplicas`, … */
  path: string;
  /** The same without an index, for a form to say what it holds. */
  kind: string;
  value: unknown;
  nodeIds: readonly string[];
}

const isSet = (value: unknown): boolean => value !== null && !(Array.isArray(value) && value.length === 0);

/** Everything that a plan's policies ask for, in a fixed order. */
export function policyEntries(policies: Policies): PolicyEntry[] {
  return Object.entries(policies).flatMap(([part, policy]) => {
    if (policy === null) return [];
    const { nodeIds, ...fields } = policy;
    return Object.entries(fields)
      .filter(([, value]) => isSet(value))
      .flatMap(([field, value]): PolicyEntry[] => {
        const kind = `${part}.${field}`;
        if (kind !== 'gateway.rateLimits' || !Array.isArray(value)) return [{ path: kind, kind, value, nodeIds }];
        return value.map((limit, i) => ({ path: `${kind}[${i}]`, kind, value: limit, nodeIds }));
      });
  });
}

/** Why a command line holds no policy. */
export const BARE_SERVER = 'a command line starts one server, and nothing stands before it';

export const leftOut = ({ path, value, nodeIds }: PolicyEntry, reason: string): Finding =>
  finding('warning', 'not-in-manifest', `${path} ${JSON.stringify(value)} is not in the file: ${reason}.`, {
    nodeId: nodeIds[0] ?? null,
  });

/** One warning for each policy that a form does not hold; `held` names those that it writes, by kind. */
export const policiesLeftOut = (policies: Policies, held: readonly string[], reason: string): Finding[] =>
  policyEntries(policies)
    .filter(({ kind }) => !held.includes(kind))
    .map((entry) => leftOut(entry, reason));

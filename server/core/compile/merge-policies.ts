import type { Participant } from '../pipeline/expand';
import { canonicalText } from '../plan/canonical';
import { type Finding, finding } from '../plan/finding';
import {
  type Disaggregation,
  type GatewayPolicy,
  NO_POLICIES,
  type Policies,
  type PolicyParts,
  policiesSchema,
  type RoutingPolicy,
  type ScalingPolicy,
} from '../plan/policies';

const SECTIONS = ['gateway', 'scaling', 'routing', 'disaggregation'] as const;
type Section = (typeof SECTIONS)[number];

/** Lists to which several nodes add; every other field has one value. */
const JOINED: readonly string[] = ['apiKeySecrets', 'rateLimits'];

const GATEWAY: Omit<GatewayPolicy, 'nodeIds'> = {
  apiKeySecrets: [],
  rateLimits: [],
  maxInFlight: null,
  queueLimit: null,
  queueTimeoutS: null,
  breaker: null,
  requestTimeoutS: null,
  shortFirstTokens: null,
  maxBodyBytes: null,
  maxOutputTokens: null,
};
/** Five minutes is what Kubernetes waits before it takes replicas away, 30 s how often KEDA looks. */
const SCALING: Omit<ScalingPolicy, 'nodeIds'> = {
  minReplicas: 1,
  maxReplicas: 1,
  metric: null,
  target: null,
  scaleDownAfterS: 300,
  pollS: 30,
};
const ROUTING: Omit<RoutingPolicy, 'nodeIds'> = { policy: 'round-robin' };
const POOL = { replicas: 1, devices: 1, tensorParallel: 1 };
const DISAGGREGATION: Omit<Disaggregation, 'nodeIds'> = { connector: 'nixl', prefill: POOL, decode: POOL };
const DEFAULTS = { gateway: GATEWAY, scaling: SCALING, routing: ROUTING, disaggregation: DISAGGREGATION };

interface Given {
  value: unknown;
  nodeId: string;
  params: Record<string, unknown>;
}

const fieldOf = ({ params }: Given, name: string): string | null => (name in params ? name : null);
const show = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

function conflict(section: Section, name: string, first: Given, second: Given): Finding[] {
  const values = `${show(first.value)} in "${first.nodeId}", ${show(second.value)} in "${second.nodeId}"`;
  const message = `Two nodes set ${name} of the ${section} differently: ${values}. Remove or bypass one.`;
  return [first, second].map((given) => {
    const { nodeId } = given;
    const fix: Finding['fix'] = { label: 'Bypass this node', edits: [{ op: 'set-bypass', nodeId, bypassed: true }] };
    return finding('error', 'policy-conflict', message, { nodeId, field: fieldOf(given, name), fix });
  });
}

const joined = (before: unknown, more: unknown): unknown[] => {
  const all = [before, more].flatMap((list) => (Array.isArray(list) ? list : []));
  return [...new Map(all.map((entry) => [canonicalText(entry), entry])).values()];
};

/** What the nodes say of one section. A null says that a node leaves the field to others. */
function mergeSection(section: Section, parts: readonly { part: object; participant: Participant }[]) {
  const fields = new Map<string, Given>();
  const findings: Finding[] = [];
  const nodeIds: string[] = [];
  for (const { part, participant } of parts) {
    const { node, params } = participant;
    nodeIds.push(node.id);
    for (const [name, value] of Object.entries(part)) {
      if (value === null || value === undefined) continue;
      const given = { value, nodeId: node.id, params };
      const earlier = fields.get(name);
      if (!earlier) fields.set(name, given);
      else if (JOINED.includes(name)) fields.set(name, { ...earlier, value: joined(earlier.value, value) });
      else if (canonicalText(earlier.value) !== canonicalText(value)) {
        findings.push(...conflict(section, name, earlier, given));
      }
    }
  }
  const values = Object.fromEntries([...fields].map(([name, { value }]) => [name, value]));
  return { merged: { nodeIds: [...new Set(nodeIds)], ...DEFAULTS[section], ...values }, fields, findings };
}

/** A range that is none; a lower bound alone raises the upper one. */
function checkScaling(scaling: ScalingPolicy, given: ReadonlyMap<string, Given>): Finding[] {
  const { minReplicas, maxReplicas, nodeIds } = scaling;
  const highest = given.get('maxReplicas');
  if (highest === undefined || minReplicas <= maxReplicas) return [];
  const message = `At least ${minReplicas} replicas and at most ${maxReplicas}: the lower bound is above the upper one.`;
  const where = { nodeId: highest.nodeId ?? nodeIds[0] ?? null, field: fieldOf(highest, 'maxReplicas') };
  return [finding('error', 'scaling-range', message, where)];
}

/** Gateway, scaling, routing and pools of an arm, from what its nodes add. Null where no node speaks of one. */
export function mergePolicies(participants: readonly Participant[]): { policies: Policies; findings: Finding[] } {
  const given = participants.flatMap((participant) => {
    const parts: PolicyParts | undefined = participant.type.policy?.(participant.params as never);
    return parts === undefined ? [] : [{ parts, participant }];
  });
  if (given.length === 0) return { policies: NO_POLICIES, findings: [] };
  const findings: Finding[] = [];
  const sections: Record<string, unknown> = {};
  for (const section of SECTIONS) {
    const parts = given.flatMap(({ parts, participant }) => {
      const part = parts[section];
      return part === undefined ? [] : [{ part, participant }];
    });
    if (parts.length === 0) continue;
    const { merged, fields, findings: found } = mergeSection(section, parts);
    findings.push(...found);
    if (section === 'scaling') {
      const scaling = merged as unknown as ScalingPolicy;
      findings.push(...checkScaling(scaling, fields));
      if (!fields.has('maxReplicas')) scaling.maxReplicas = scaling.minReplicas;
    }
    sections[section] = merged;
  }
  return { policies: policiesSchema.parse({ ...NO_POLICIES, ...sections }), findings };
}

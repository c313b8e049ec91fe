import type { Plan } from '../plan/plan';

export interface ExportedOnly {
  /** What a worker does not do, in words that follow "the plan has". */
  what: string;
  nodeId: string | null;
}

/**
 * What of a plan no worker runs yet: it starts one engine and sends the load to it. Null: it can be run. Whoever runs
 * such a plan says so and does not measure something else in its place.
 */
export function exportedOnly({ components, policies }: Plan): ExportedOnly | null {
  const { gateway, scaling, routing, disaggregation } = policies;
  const at = (policy: { nodeIds: string[] } | null): string | null => policy?.nodeIds[0] ?? null;
  if (disaggregation !== null || components.length > 1) {
    return { what: 'several processes (pools and a router)', nodeId: at(disaggregation) };
  }
  if (scaling !== null && scaling.minReplicas !== scaling.maxReplicas) {
    return { what: 'replicas that come and go', nodeId: at(scaling) };
  }
  if (components.some((component) => component.replicas > 1)) return { what: 'several replicas', nodeId: at(scaling) };
  if (routing !== null) return { what: 'a router between replicas', nodeId: at(routing) };
  return gateway === null ? null : { what: 'a gateway in front of the engine', nodeId: at(gateway) };
}

export const exportedOnlyMessage = (plan: Plan, { what }: ExportedOnly): string =>
  `${plan.label} has ${what}: this version's workers do not run that yet. Export it, or bypass the node to measure the engine alone.`;

import type { Engine } from '../../engines/engine';
import { type Finding, finding } from '../../plan/finding';
import type { Plan } from '../../plan/plan';
import { policiesLeftOut } from '../policies-left-out';
import { type Trigger, triggerOf, windowOf } from './triggers';

const SCALING = ['minReplicas', 'maxReplicas', 'metric', 'target', 'scaleDownAfterS', 'pollS'].map(
  (f) => `scaling.${f}`,
);
const POOLS = ['connector', 'prefill', 'decode'].map((f) => `disaggregation.${f}`);

/** What becomes of the policies around an engine in one form. */
export interface HeldPolicies {
  /** Replicas that start; null where an autoscaler decides. */
  replicas: number | null;
  trigger: Trigger | null;
  findings: Finding[];
}

interface PolicyForm {
  /** Label selector of the engine's series, without braces. */
  selector: string;
  /** Which routing policies the form carries out. */
  routing: readonly string[];
  /** Those that it carries out in a way of its own, and which. */
  routesOtherwise?: { policies: readonly string[]; how: string };
  /** Can it scale on the engine's counters? */
  scales: boolean;
  /** Scaling fields beyond those of an autoscaler that the form lacks, e.g. `scaling.pollS`. */
  lacks?: readonly string[];
  /** Why it does not scale. */
  without?: string;
}

const GATEWAY = 'it belongs to a gateway: export the plan for NGINX or Envoy too and put that in front';
const ROUTER = 'it needs a router: vLLM production-stack, llm-d and Dynamo bring one';

/** The trigger of the policy in this form; a text says why there is none. */
function triggerIn(plan: Plan, engine: Engine, form: PolicyForm): Trigger | string {
  const { scaling } = plan.policies;
  if (scaling === null) return 'nobody asked for it';
  if (plan.components.length > 1) return 'one rule cannot be split over pools: their numbers of replicas stand there';
  if (!form.scales) return form.without ?? 'the form has no autoscaler on engine metrics';
  const trigger = triggerOf(scaling, engine, form.selector);
  return 'missing' in trigger ? trigger.missing : trigger;
}

function routedOtherwise({ policies: { routing } }: Plan, { routesOtherwise }: PolicyForm): Finding[] {
  if (routing === null || routesOtherwise === undefined || !routesOtherwise.policies.includes(routing.policy))
    return [];
  const message = `routing.policy ${JSON.stringify(routing.policy)}: ${routesOtherwise.how}.`;
  return [finding('info', 'held-otherwise', message, { nodeId: routing.nodeIds[0] ?? null })];
}

/** Every policy of a plan is held by the form or named in a finding; nothing is dropped. */
export function holdPolicies(plan: Plan, engine: Engine, form: PolicyForm): HeldPolicies {
  const { policies } = plan;
  const { scaling, routing } = policies;
  const trigger = triggerIn(plan, engine, form);
  const scales = typeof trigger !== 'string';
  const isFixed = scaling !== null && scaling.minReplicas === scaling.maxReplicas;
  const partly = scales ? SCALING.filter((kind) => !form.lacks?.includes(kind)) : ['scaling.minReplicas'];
  const scalingHeld = isFixed && !scales ? SCALING : partly;
  const otherwise = routedOtherwise(plan, form);
  const isRouted = routing !== null && (form.routing.includes(routing.policy) || otherwise.length > 0);
  const routed = isRouted ? ['routing.policy'] : [];
  const reason = scales ? 'the form leaves it to the operator' : trigger;
  return {
    replicas: scales ? null : (scaling?.minReplicas ?? null),
    trigger: scales ? trigger : null,
    findings: [
      ...policiesLeftOut({ ...policies, scaling: null, routing: null }, POOLS, GATEWAY),
      ...policiesLeftOut({ ...policies, gateway: null, scaling: null }, [...POOLS, ...routed], ROUTER),
      ...policiesLeftOut({ ...policies, gateway: null, routing: null }, [...POOLS, ...scalingHeld], reason),
      ...(scales && scaling !== null ? windowOf(scaling).findings : []),
      ...otherwise,
    ],
  };
}

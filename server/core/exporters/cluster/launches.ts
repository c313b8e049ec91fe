import type { Engine } from '../../engines/engine';
import type { Component, Plan } from '../../plan/plan';
import { type Launch, launchAs } from '../launch';

/** One component of a plan with the origin of everything that it is started with. */
export interface ComponentLaunch {
  component: Component;
  launch: Launch;
  /** Null where nobody publishes one. */
  image: string | null;
}

/** The runtime that has a container: the embedded engine is written as llama-server. */
const containerRuntime = ({ engine, runtime }: Component): string | null =>
  engine === 'llama.cpp' ? 'llama-server' : runtime;

/** Components that run the engine itself; a router or gateway stands before them. */
export const isEngine = ({ role }: Component): boolean => role !== 'router' && role !== 'gateway';

/** A process that no setting lowers to: its words as the plan has them. */
function givenLaunch({ args, argv, env, engineVersion }: Component): Launch {
  const words = args.reduce((n, { value }) => n + (value === null ? 1 : 2), 0);
  return {
    runtime: null,
    version: engineVersion,
    command: argv.slice(0, argv.length - words),
    args,
    env: Object.entries(env).map(([name, value]) => ({ name, value, setting: 'the plan', nodeId: null })),
    config: [],
    request: {},
    carried: [],
    implicit: [],
    told: {},
    findings: [],
  };
}

/** The plan as if this were its only component. */
export const planOfComponent = (plan: Plan, component: Component): Plan => ({ ...plan, components: [component] });

/**
 * Each launched component. Where the runtime stays, arguments, environment and configuration are those of the plan,
 * word by word; lowering again only tells where they come from.
 */
export function componentLaunches(plan: Plan, engine: Engine): ComponentLaunch[] {
  return plan.components
    .filter((component) => component.endpoint === null)
    .map((component) => {
      if (!isEngine(component)) return { component, launch: givenLaunch(component), image: component.image };
      const runtime = containerRuntime(component);
      const lowered = launchAs(planOfComponent(plan, component), engine, runtime);
      const launch = runtime === component.runtime ? asPlanned(lowered, component, plan) : lowered;
      return { component, launch, image: engine.image({ hardware: component.hardware, version: launch.version }) };
    });
}

function asPlanned(lowered: Launch, component: Component, plan: Plan): Launch {
  const several = plan.components.length > 1;
  return {
    ...lowered,
    args: component.args,
    config: component.config,
    env: Object.entries(component.env).map(([name, value]) => {
      const known = lowered.env.filter((entry) => entry.name === name);
      const setting = [...new Set(known.map((entry) => entry.setting))].join(', ') || 'the plan';
      return { name, value, setting, nodeId: known[0]?.nodeId ?? null };
    }),
    // The compiler reported what the pools lack; this lowering looks at one scope only.
    findings: several ? lowered.findings.filter(({ code }) => code === 'caution') : lowered.findings,
  };
}

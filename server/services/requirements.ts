import type { Plan } from '../core/plan/plan';
import type { Host } from '../core/run/trial';

/** What a worker must have to run these plans: engines (with runtime, where a plan names one) and a number of GPUs. */
export function requirementsOf(plans: readonly Plan[]): { requirements: string[]; gpus: number } {
  const needed = new Set<string>();
  let gpus = 0;
  for (const plan of plans) {
    let ofPlan = 0;
    for (const component of plan.components) {
      // Nothing is launched for a server that runs already: every agent can measure it.
      if (component.endpoint) continue;
      needed.add(component.runtime ? `${component.engine}/${component.runtime}` : component.engine);
      if (component.hardware.kind === 'gpu') ofPlan += component.hardware.count * component.replicas;
    }
    gpus = Math.max(gpus, ofPlan);
  }
  return { requirements: [...needed].sort(), gpus };
}

/** The same words, as a host offers them. */
export function capabilitiesOf(host: Host): { capabilities: string[]; gpus: number } {
  const offered = Object.entries(host.engines).flatMap(([engine, runtimes]) => [
    engine,
    ...Object.keys(runtimes).map((runtime) => `${engine}/${runtime}`),
  ]);
  return { capabilities: offered.sort(), gpus: host.devices.length };
}

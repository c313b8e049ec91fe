import type { Engine } from '../../engines/engine';
import type { Plan } from '../../plan/plan';

/** Runtime that a manifest launches: llama.cpp's own server where a plan ran the embedded engine, else the plan's. */
export const runtimeToLaunch = (plan: Plan, engine: Engine): string | null =>
  engine.id === 'llama.cpp' ? 'llama-server' : (plan.components[0]?.runtime ?? null);

/** Port on a machine of one's own: that of the engine, but none that takes root's rights (TGI's image has 80). */
export const localPort = ({ port }: Engine): number => (port < 1024 ? 8080 : port);

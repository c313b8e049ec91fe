import type { Component, Plan } from '../../plan/plan';
import { objectName } from './names';

/** In an environment: the address of the very replica (`Component.env`). */
export const OWN_HOST = '{host}';

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Does a component stand under its own name in the cluster's DNS, one name a replica? */
const isAddressed = (plan: Plan): boolean => plan.components.length > 1;

export const isPool = ({ role }: Component): boolean => role === 'prefill' || role === 'decode';

/** Host of a replica: pods of a pool answer under `name-index.name`, whether a StatefulSet or a LeaderWorkerSet owns them. */
function hostOf(plan: Plan, component: Component, index: string | undefined): string {
  const name = objectName(plan, component);
  return isPool(component) ? `${name}-${index ?? '0'}.${name}` : name;
}

/** Puts the cluster's host names where the plan names its components, before a port. */
export function clusterHosts(plan: Plan): (text: string) => string {
  if (!isAddressed(plan)) return (text) => text;
  const byName = new Map(plan.components.map((component) => [component.name, component]));
  const names = [...byName.keys()].map(escaped).join('|');
  const pattern = new RegExp(`(?<![\\w.-])(${names})(?:-(\\d+))?(?=:\\d)`, 'g');
  return (text) =>
    text.replace(pattern, (whole, name: string, index: string | undefined) => {
      const component = byName.get(name);
      return component === undefined ? whole : hostOf(plan, component, index);
    });
}

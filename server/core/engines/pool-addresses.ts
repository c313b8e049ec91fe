import type { Disaggregation } from '../plan/policies';

/** `host:port` of every engine of a pool, by the names of the components: `prefill`, or `prefill-0`, `prefill-1`, … */
export function poolAddresses(pools: Disaggregation, role: 'prefill' | 'decode', port: number): string[] {
  const { replicas } = pools[role];
  if (replicas === 1) return [`${role}:${port}`];
  return Array.from({ length: replicas }, (_, index) => `${role}-${index}:${port}`);
}

/** In an environment: the address of the very replica, as its peers reach it. A form puts its own way of saying so there. */
export const OWN_HOST = '{host}';

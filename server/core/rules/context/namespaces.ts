import type { ContextValue } from '../constraints/expression';
import type { Fields } from './arguments';

/** Namespace → fields, as the constraints name them. */
export type Namespaces = Record<string, Fields>;

/** A value of a configuration file. Of an object the constraints only ask whether it is there. */
export function contextValue(value: unknown): ContextValue {
  if (Array.isArray(value)) return value.map(contextValue);
  if (typeof value === 'boolean' || typeof value === 'number' || typeof value === 'string') return value;
  return value === null || value === undefined ? null : JSON.stringify(value);
}

export function put(into: Namespaces, namespace: string, field: string, value: ContextValue): void {
  into[namespace] = { ...into[namespace], [field]: value };
}

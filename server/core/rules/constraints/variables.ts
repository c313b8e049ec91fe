import type { Constraint } from './tables';

const STRING = /"[^"]*"|'[^']*'/g;
const VARIABLE = /\b[a-z_]+\.[A-Za-z_]\w*/g;

/** Variables that a constraint reads, as `NAMESPACE.FIELD`, in the order of its texts. */
export const variablesOf = (constraint: Pick<Constraint, 'if' | 'then'>): string[] => [
  ...new Set(`${constraint.if} ${constraint.then}`.replaceAll(STRING, '').match(VARIABLE)),
];

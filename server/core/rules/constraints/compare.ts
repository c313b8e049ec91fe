import { type CompareOperator, Unknown, type Value } from './expression';

/** The language gives no answer, e.g. to `None < 1`; the caller knows the cause. */
export const NO_ANSWER = new Unknown([]);

export const isList = (value: Value): value is readonly Value[] => Array.isArray(value);

const plain = (value: Value): Value => (typeof value === 'boolean' ? Number(value) : value);

/** Python's `==` on the values of a plan: True equals 1, lists compare element by element. */
export function equal(a: Value, b: Value): boolean {
  if (isList(a) && isList(b)) return a.length === b.length && a.every((item, index) => equal(item, b[index] ?? null));
  return plain(a) === plain(b);
}

const isUnknown = (value: Value): value is Unknown => value instanceof Unknown;

/** The causes of all unknown values among these; null where each is known. */
export function unknownOf(values: readonly Value[]): Unknown | null {
  const unknown = values.filter(isUnknown);
  if (unknown.length <= 1) return unknown[0] ?? null;
  return new Unknown([...new Set(unknown.flatMap((value) => value.causes))]);
}

const asNumber = (value: Value): number | null =>
  typeof value === 'boolean' ? Number(value) : typeof value === 'number' ? value : null;

/** Two numbers (booleans count as 0 and 1) or null. */
export function numbers(a: Value, b: Value): readonly [number, number] | null {
  const [left, right] = [asNumber(a), asNumber(b)];
  return left === null || right === null ? null : [left, right];
}

function contains(needle: Value, haystack: Value): Value {
  if (typeof haystack === 'string') return typeof needle === 'string' ? haystack.includes(needle) : NO_ANSWER;
  if (!isList(haystack)) return NO_ANSWER;
  if (haystack.some((item) => !isUnknown(item) && equal(needle, item))) return true;
  return unknownOf(haystack) ?? false;
}

function ordered(operator: CompareOperator, a: Value, b: Value): Value {
  const pair = numbers(a, b) ?? (typeof a === 'string' && typeof b === 'string' ? ([a, b] as const) : null);
  if (pair === null) return NO_ANSWER;
  const [left, right] = pair;
  if (operator === '<') return left < right;
  if (operator === '<=') return left <= right;
  return operator === '>' ? left > right : left >= right;
}

const negated = (value: Value): Value => (value instanceof Unknown ? value : value !== true);

/** One link of a comparison. Unknown without a cause where None or a wrong type has no order. */
export function compare(operator: CompareOperator, a: Value, b: Value): Value {
  if (a instanceof Unknown || b instanceof Unknown) return unknownOf([a, b]) ?? NO_ANSWER;
  switch (operator) {
    case '==':
      return equal(a, b);
    case '!=':
      return !equal(a, b);
    case 'is':
      return a === b;
    case 'is not':
      return a !== b;
    case 'in':
      return contains(a, b);
    case 'not in':
      return negated(contains(a, b));
    default:
      return ordered(operator, a, b);
  }
}

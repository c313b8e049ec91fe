import { equal, isList, NO_ANSWER, unknownOf } from './compare';
import type { FunctionName, Value } from './expression';

const DTYPES: Readonly<Record<string, string>> = {
  half: 'float16',
  fp16: 'float16',
  float: 'float32',
  fp32: 'float32',
  bf16: 'bfloat16',
};

/** The numbers of a dotted version, at most four; what follows `+`, `rc` or `b` is cut off. */
function versionParts(version: string): number[] {
  const release = version.split(/\+|rc|(?<=\d)b/, 1)[0] ?? '';
  return (release.match(/\d+/g) ?? []).slice(0, 4).map(Number);
}

function versionAtLeast(version: string, least: string): boolean {
  const [have, need] = [versionParts(version), versionParts(least)];
  for (let index = 0; index < Math.max(have.length, need.length); index++) {
    const difference = (have[index] ?? 0) - (need[index] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
}

function length(value: Value): number | null {
  return typeof value === 'string' || isList(value) ? value.length : null;
}

function extreme(name: 'min' | 'max', values: readonly Value[]): number | null {
  const numbers = values.filter((value) => typeof value === 'number');
  if (numbers.length === 0 || numbers.length < values.length) return null;
  return Math[name](...numbers);
}

function startsWith(text: Value, prefix: Value): boolean | null {
  if (text === null) return false;
  if (isList(text)) return null;
  const prefixes = isList(prefix) ? prefix : [prefix];
  return prefixes.some((entry) => typeof entry === 'string' && String(text).startsWith(entry));
}

function overlaps(a: Value, b: Value): boolean | null {
  const [left, right] = [a ?? [], b ?? []];
  if (!isList(left) || !isList(right)) return null;
  return left.some((item) => right.some((other) => equal(item, other)));
}

function known(name: FunctionName, args: readonly Value[]): Value {
  const [first = null, second = null] = args;
  switch (name) {
    case 'len':
      return length(first);
    case 'min':
    case 'max':
      return extreme(name, isList(first) ? first : args);
    case 'abs':
      return typeof first === 'number' ? Math.abs(first) : null;
    case 'is_pow2':
      return typeof first === 'number' ? first > 0 && Number.isInteger(Math.log2(first)) : null;
    case 'ver_ge':
      return first === null || second === null ? null : versionAtLeast(String(first), String(second));
    case 'norm_dtype':
      return typeof first === 'string' ? (DTYPES[first] ?? first) : first;
    case 'startswith':
      return startsWith(first, second);
    case 'overlaps':
      return overlaps(first, second);
  }
}

/** A helper of the rule language. Unknown without a cause where None has no length, size or version. */
export function callFunction(name: FunctionName, args: readonly Value[]): Value {
  const unknown = unknownOf([...args, ...args.flatMap((arg) => (isList(arg) ? arg : []))]);
  if (unknown !== null) return unknown;
  const value = known(name, args);
  return value === null && name !== 'norm_dtype' ? NO_ANSWER : value;
}

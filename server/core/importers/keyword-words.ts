import { isRecord, textOf } from './read-yaml';

const flagOf = (name: string): string => `--${name.replaceAll('_', '-')}`;

/** Numbers and truth values inside of a JSON argument, which are read as the letters that they were written with. */
export function withNumbers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withNumbers);
  if (isRecord(value)) return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withNumbers(item)]));
  return typeof value === 'string' && /^(?:true|false|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?)$/.test(value)
    ? JSON.parse(value)
    : value;
}

/**
 * Arguments of a command line for what a file or a call gives by name: `max_model_len: 8192` → `--max-model-len 8192`.
 * `negates`: whether the engine's switches have a `--no-` form; where they have none, off is their absence.
 */
export const wordsOfKeywords = (keywords: Readonly<Record<string, unknown>>, negates = true): string[] =>
  Object.entries(keywords).flatMap(([name, value]) => wordsOf(flagOf(name), value, negates));

function wordsOf(flag: string, value: unknown, negates: boolean): string[] {
  if (value === null || value === undefined) return [];
  if (value === true || value === 'true') return [flag];
  if (value === false || value === 'false') return negates ? [`--no-${flag.slice(2)}`] : [];
  if (isRecord(value)) return [flag, JSON.stringify(withNumbers(value))];
  if (!Array.isArray(value)) return [flag, textOf(value) ?? String(value)];
  return [flag, ...value.map((item) => textOf(item) ?? JSON.stringify(item))];
}

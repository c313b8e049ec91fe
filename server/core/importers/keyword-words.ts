import { isRecord, textOf } from './read-yaml';

const flagOf = (name: string): string => `--${name.replaceAll('_', '-')}`;

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
  if (isRecord(value)) return [flag, JSON.stringify(value)];
  if (!Array.isArray(value)) return [flag, textOf(value) ?? String(value)];
  return [flag, ...value.map((item) => textOf(item) ?? JSON.stringify(item))];
}

import type { FlagWords } from '../engines/split-flags';

/**
 * One thing that a text sets: an argument with its values, a variable, a leaf of the engine's configuration file, or a field of
 * the requests.
 * `words` are its own words, verbatim; `value` is what the engine makes of them.
 */
export interface Mark extends FlagWords {
  kind: 'arg' | 'env' | 'config' | 'request';
}

export const variableMark = (name: string, value: string): Mark => ({
  kind: 'env',
  words: [`${name}=${value}`],
  written: name,
  name,
  value,
  spelling: null,
  fact: null,
});

export const configMark = (path: string, value: string, fact: Mark['fact']): Mark => ({
  kind: 'config',
  words: [`${path}: ${value}`],
  written: path,
  name: path,
  value,
  spelling: null,
  fact,
});

export const requestMark = (field: string, value: unknown): Mark => ({
  kind: 'request',
  words: [`${field}: ${JSON.stringify(value)}`],
  written: field,
  name: field,
  value: JSON.stringify(value),
  spelling: null,
  fact: null,
});

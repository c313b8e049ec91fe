import { findSpelling, type Spelling } from './find-flag-spelling';
import type { FlagFact, FlagTable } from './flag';

/** A flag of a command line with its values, in its own words. */
export interface FlagWords {
  /** The words as they were written; joined over all flags they are the command line. */
  words: string[];
  /** Flag as written, without value; a positional word is its own flag. */
  written: string;
  /** First spelling of the table; null where it has none. */
  name: string | null;
  value: string | null;
  spelling: Spelling | null;
  fact: FlagFact | null;
}

/** A word that starts a flag; `-1` and `-0.5` are values. */
export const isFlagWord = (word: string): boolean => /^--?[A-Za-z]/.test(word);

const TRUTH = ['on', 'off', 'auto', 'true', 'false', '1', '0', 'enabled', 'disabled', 'yes', 'no'];

/** How many of the next words belong to the flag. */
function valueCount(spelling: Spelling, next: readonly string[]): number {
  const { fact, value, how, path } = spelling;
  const [first] = next;
  if (value !== null || first === undefined || isFlagWord(first)) return 0;
  if (fact === null || path !== null) return 1;
  if (how === 'negated' || fact.type === 'boolean') return 0;
  // A switch of earlier releases that takes a word today: `-fa -c 4096` and `-fa on` are both seen.
  if (fact.name === '--flash-attn') return TRUTH.includes(first.toLowerCase()) || first.startsWith('$') ? 1 : 0;
  if (fact.type !== 'list') return 1;
  const end = next.findIndex(isFlagWord);
  return end < 0 ? next.length : end;
}

/** Splits argument words by a table of flags. Nothing is dropped: the words of the result are the words given. */
export function splitFlags(table: FlagTable, words: readonly string[]): FlagWords[] {
  const result: FlagWords[] = [];
  for (let i = 0; i < words.length; ) {
    const word = words[i] ?? '';
    if (!isFlagWord(word)) {
      result.push({ words: [word], written: word, name: null, value: null, spelling: null, fact: null });
      i += 1;
      continue;
    }
    const spelling = findSpelling(table, word);
    const count = valueCount(spelling, words.slice(i + 1, i + 1 + 64));
    const values = words.slice(i + 1, i + 1 + count);
    const value = spelling.value ?? (count === 0 ? null : values.join(' '));
    const written = spelling.value !== null && word.includes('=') ? word.slice(0, word.indexOf('=')) : word;
    const { fact } = spelling;
    result.push({ words: [word, ...values], written, name: fact?.name ?? null, value, spelling, fact });
    i += 1 + count;
  }
  return result;
}

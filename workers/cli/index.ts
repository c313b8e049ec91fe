import type { Verb } from './verb';

/** Every verb, in the order of `--help`. */
export const VERBS: readonly Verb[] = [];

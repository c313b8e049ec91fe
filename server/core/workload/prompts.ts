import { createPrng, type Prng } from './prng';
import { WORDS } from './words';

/** How many words make the asked number of tokens on the server at hand. */
export interface PromptSize {
  prefixWords: number;
  /** Words after the shared prefix, the nonce included. */
  uniqueWords: number;
}

const NONCE_WORDS = 6;
const WORDS_PER_SENTENCE = 12;

function sentences(words: number, prng: Prng): string {
  const parts: string[] = [];
  for (let i = 0; i < words; i++) {
    const word = WORDS[prng.below(WORDS.length)] ?? 'the';
    parts.push(i % WORDS_PER_SENTENCE === WORDS_PER_SENTENCE - 1 ? `${word}.` : word);
  }
  return parts.join(' ');
}

/** The text that all requests of a block share; empty for no words. */
export function sharedPrefix(seed: number, words: number): string {
  return sentences(words, createPrng('prefix', seed));
}

/**
 * One prompt: shared prefix (`sharedPrefix`, if any), a nonce, a unique part. The nonce (48 bits in six words) stands where the
 * shared part ends, so that no cache serves more than what the workload declares.
 * `stream` keeps warm-up, load levels and measured requests apart.
 */
export function buildPrompt(prefix: string, seed: number, stream: string, index: number, size: PromptSize): string {
  const words = Math.max(1, size.uniqueWords);
  const nonce = sentences(Math.min(NONCE_WORDS, words), createPrng('nonce', seed, stream, index));
  const rest = sentences(Math.max(0, words - NONCE_WORDS), createPrng('unique', seed, stream, index));
  return [prefix, nonce, rest].filter((part) => part !== '').join(' ');
}

/** What the server counted for a prompt of so many words. */
export interface SizeProbe {
  words: number;
  tokens: number;
}

const TOKENS_PER_WORD_AT_FIRST = 1.1;

/**
 * The size to try next, from what the server counted so far: a line through the two latest probes (its constant
 * is the template and the start token), or a proportion while there is one only.
 */
export function nextSize(inputTokens: number, prefixTokens: number, probes: readonly SizeProbe[]): PromptSize {
  const last = probes.at(-1);
  const before = probes.at(-2);
  let perWord = last ? Math.max(0.2, last.tokens / last.words) : TOKENS_PER_WORD_AT_FIRST;
  if (last && before && last.words !== before.words) {
    const slope = (last.tokens - before.tokens) / (last.words - before.words);
    if (slope > 0.2) perWord = slope;
  }
  const words = last ? last.words + (inputTokens - last.tokens) / perWord : inputTokens / perWord;
  const total = Math.max(1, Math.round(words));
  const prefixWords = Math.min(total - 1, Math.round((prefixTokens * total) / inputTokens));
  return { prefixWords, uniqueWords: total - prefixWords };
}

/** Whether the server's count is what was asked: within 2 %, or one token for short prompts. */
export function isSized(inputTokens: number, counted: number): boolean {
  return Math.abs(counted - inputTokens) <= Math.max(1, inputTokens * 0.02);
}

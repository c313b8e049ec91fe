import type { LlamaContextSequence, Token } from 'node-llama-cpp';
import type { Job } from './job';

/** A request while it owns a slot. */
export interface Run {
  job: Job;
  /** Tokens that the target's sequence has not evaluated yet; the last one generates. */
  pending: number[];
  /** The same for the draft's sequence. */
  draftPending: number[];
  /** The draft's sequence lost its place (after a context shift): no drafts any more. */
  draftLost: boolean;
  /** Prompt and output, for prompt lookup. */
  tokens: number[];
  generated: number;
  admittedAt: number;
  startedMs: number;
}

/** One sequence of the context (and of the draft's), owned by one request at a time. */
export interface Slot {
  readonly id: number;
  readonly target: LlamaContextSequence;
  readonly draft: LlamaContextSequence | null;
  run: Run | null;
  lastUsed: number;
}

/** node-llama-cpp brands token ids; ours are plain numbers. */
export const asTokens = (tokens: readonly number[]): Token[] => tokens as readonly number[] as Token[];

/** Tokens of `prompt` that the sequence holds already; the last one is always left to evaluate. */
export function cachedPrefix(sequence: LlamaContextSequence, prompt: readonly number[]): number {
  return Math.min(sequence.compareContextTokens(asTokens(prompt)).firstDifferentIndex, prompt.length - 1);
}

/** Drops everything after the first `keep` tokens; returns what is really left. */
export async function truncate(sequence: LlamaContextSequence, keep: number): Promise<number> {
  if (keep < sequence.nextTokenIndex)
    await sequence.eraseContextTokenRanges([{ start: keep, end: sequence.nextTokenIndex }]);
  return sequence.nextTokenIndex;
}

export interface LookupOptions {
  /** Shortest and longest n-gram that is looked up. */
  minTokens: number;
  maxTokens: number;
}

export interface LookupResult {
  tokens: number[];
  /** Length of the n-gram that was found again. */
  matched: number;
}

/**
 * Prompt lookup: the latest earlier place of the last n tokens (longest n first) gives up to `count` tokens that
 * followed it there. No tokens where nothing repeats. Cost: one pass over the tokens for each n.
 */
export function lookupDraft(tokens: readonly number[], count: number, options: LookupOptions): LookupResult {
  for (let n = Math.min(options.maxTokens, tokens.length - 1); n >= options.minTokens && count > 0; n--) {
    const tail = tokens.length - n;
    for (let start = tail - 1; start >= 0; start--)
      if (matches(tokens, start, tail, n)) return { tokens: tokens.slice(start + n, start + n + count), matched: n };
  }
  return { tokens: [], matched: 0 };
}

function matches(tokens: readonly number[], a: number, b: number, length: number): boolean {
  for (let i = length - 1; i >= 0; i--) if (tokens[a + i] !== tokens[b + i]) return false;
  return true;
}

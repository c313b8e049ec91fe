/**
 * Tokens of each chunk when only their sum is known: one each where the counts agree, else by the length of the
 * chunks' texts (largest remainder), at least one each while there are enough.
 */
export function spreadTokens(textLengths: readonly number[], tokens: number): number[] {
  const chunks = textLengths.length;
  if (chunks === 0) return [];
  if (tokens <= chunks) return textLengths.map((_, i) => (i < tokens ? 1 : 0));
  const extra = tokens - chunks;
  const total = textLengths.reduce((sum, length) => sum + length, 0);
  const shares = textLengths.map((length) => (total > 0 ? (extra * length) / total : extra / chunks));
  const counts = shares.map((share) => 1 + Math.floor(share));
  let left = tokens - counts.reduce((sum, k) => sum + k, 0);
  const byRemainder = shares.map((share, i) => ({ i, rest: share - Math.floor(share) }));
  byRemainder.sort((a, b) => b.rest - a.rest || a.i - b.i);
  for (const { i } of byRemainder) {
    if (left-- <= 0) break;
    counts[i] = (counts[i] ?? 0) + 1;
  }
  return counts;
}

/** Token id → probability, in descending order of probability; tokens that are left out have probability 0. */
export type Distribution = ReadonlyMap<number, number>;

export interface Verdict {
  /** How many drafted tokens hold, from the first on. */
  accepted: number;
  /** The target's own token after them. */
  next: number;
}

/**
 * Drafts hold as long as the target chose the same token at the same place. Exact for greedy decoding, and exact in
 * distribution for drafts without a distribution of their own (prompt lookup) when each choice is an independent
 * sample of the target: the draft only decides which samples are looked at.
 * `chosen[i]` is the target's choice after i drafts; it has one entry more than `drafts`.
 */
export function verifyByChoice(drafts: readonly number[], chosen: readonly number[]): Verdict {
  let accepted = 0;
  while (accepted < drafts.length && chosen[accepted] === drafts[accepted]) accepted++;
  const next = chosen[accepted];
  if (next === undefined) throw new Error('the target chose fewer tokens than drafted + 1');
  return { accepted, next };
}

/** Draws from max(0, p − q), normalized; where that is empty (p = q) from p. */
export function sampleResidual(p: Distribution, q: Distribution, random: () => number): number {
  const rest = new Map<number, number>();
  for (const [token, probability] of p) {
    const left = probability - (q.get(token) ?? 0);
    if (left > 0) rest.set(token, left);
  }
  const from = rest.size > 0 ? rest : p;
  let mass = 0;
  for (const probability of from.values()) mass += probability;
  let at = random() * mass;
  let last = -1;
  for (const [token, probability] of from) {
    // A token of probability 0 (one that must not end the text, for one) stays out even where rounding leaves a rest.
    if (probability === 0) continue;
    last = token;
    at -= probability;
    if (at < 0) return token;
  }
  return last;
}

/**
 * Speculative sampling (Leviathan et al. 2023, arXiv:2211.17192, algorithm 1): draft i, drawn from q[i], holds with
 * probability min(1, p[i](x) ÷ q[i](x)); at the first refusal the next token comes from the residual. `bonus` is a
 * sample of the target after all drafts. The output is distributed as if the target had sampled alone.
 */
export function verifyBySampling(
  drafts: readonly number[],
  q: readonly Distribution[],
  p: readonly Distribution[],
  bonus: number,
  random: () => number,
): Verdict {
  for (const [i, token] of drafts.entries()) {
    const pi = p[i];
    const qi = q[i];
    if (!pi || !qi) throw new Error('a drafted token came without its distributions');
    const ratio = (pi.get(token) ?? 0) / (qi.get(token) ?? Number.POSITIVE_INFINITY);
    if (random() < ratio) continue;
    return { accepted: i, next: sampleResidual(pi, qi, random) };
  }
  return { accepted: drafts.length, next: bonus };
}

/**
 * Natural log-probabilities of a whole vocabulary, one row a position: row i is the distribution after token i, so
 * that it judges token i + 1. `rows` holds (tokens − 1) × vocabulary values.
 */
export interface ScoredWindow {
  tokens: readonly number[];
  vocabulary: number;
  rows: Float32Array;
}

/** Sums over positions; `compare` sums are null where no reference of the same tokens and vocabulary was given. */
export interface WindowSums {
  positions: number;
  /** Negative log-likelihood of the text, nats. */
  nll: number;
  /** KL(reference ‖ candidate), nats. */
  kl: number | null;
  sameTop1: number | null;
}

/** @throws RangeError when the rows are not what tokens and vocabulary make */
function checkShape({ tokens, vocabulary, rows }: ScoredWindow): void {
  const expected = (tokens.length - 1) * vocabulary;
  if (rows.length !== expected) throw new RangeError(`${rows.length} log-probabilities instead of ${expected}`);
}

function klOfRow(p: Float32Array, q: Float32Array): { kl: number; sameTop1: boolean } {
  let kl = 0;
  let topP = 0;
  let topQ = 0;
  for (let i = 0; i < p.length; i++) {
    const logP = p[i] ?? Number.NEGATIVE_INFINITY;
    const logQ = q[i] ?? Number.NEGATIVE_INFINITY;
    if (logP > (p[topP] ?? 0)) topP = i;
    if (logQ > (q[topQ] ?? 0)) topQ = i;
    const weight = Math.exp(logP);
    if (weight > 0) kl += weight * (logP - logQ);
  }
  // Rounding of float32 rows can leave a sum a hair below zero.
  return { kl: Math.max(0, kl), sameTop1: topP === topQ };
}

const sameTokens = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((token, i) => token === b[i]);

/** Perplexity's and agreement's parts of one window of text. */
export function sumWindow(candidate: ScoredWindow, reference: ScoredWindow | null): WindowSums {
  checkShape(candidate);
  if (reference) checkShape(reference);
  const { tokens, vocabulary } = candidate;
  const comparable = reference && reference.vocabulary === vocabulary && sameTokens(reference.tokens, tokens);
  const sums = { positions: tokens.length - 1, nll: 0, kl: 0, sameTop1: 0 };
  for (let i = 0; i < tokens.length - 1; i++) {
    const row = candidate.rows.subarray(i * vocabulary, (i + 1) * vocabulary);
    sums.nll -= row[tokens[i + 1] ?? -1] ?? Number.NaN;
    if (!comparable) continue;
    const { kl, sameTop1 } = klOfRow(reference.rows.subarray(i * vocabulary, (i + 1) * vocabulary), row);
    sums.kl += kl;
    sums.sameTop1 += sameTop1 ? 1 : 0;
  }
  return comparable ? sums : { ...sums, kl: null, sameTop1: null };
}

/** Teacher-forced quality over all windows: perplexity, mean KL in nats a token, share of equal top-1 tokens. */
export function summarizeWindows(windows: readonly WindowSums[]): {
  perplexity: number | null;
  klDivergence: number | null;
  top1Agreement: number | null;
  tokens: number;
} {
  const positions = windows.reduce((sum, w) => sum + w.positions, 0);
  if (positions === 0) return { perplexity: null, klDivergence: null, top1Agreement: null, tokens: 0 };
  const meanOf = (part: (w: WindowSums) => number | null): number | null => {
    const parts = windows.map(part);
    return parts.includes(null) ? null : parts.reduce<number>((sum, v) => sum + (v ?? 0), 0) / positions;
  };
  const nll = meanOf((w) => w.nll) ?? Number.NaN;
  return {
    perplexity: Math.exp(nll),
    klDivergence: meanOf((w) => w.kl),
    top1Agreement: meanOf((w) => w.sameTop1),
    tokens: positions,
  };
}

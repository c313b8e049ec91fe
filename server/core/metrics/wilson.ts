const Z_95 = 1.959964;

/**
 * Wilson's 95 % score interval of a share (Wilson 1927, J. Am. Stat. Assoc. 22, 209): holds near 0 and 1, where the
 * normal interval collapses. @throws RangeError unless 0 ≤ good ≤ n and n > 0
 */
export function wilsonInterval(good: number, n: number): { share: number; low: number; high: number } {
  if (!(n > 0 && good >= 0 && good <= n)) throw new RangeError(`${good} of ${n} is no share`);
  const share = good / n;
  const z2 = Z_95 * Z_95;
  const centre = (share + z2 / (2 * n)) / (1 + z2 / n);
  const half = (Z_95 / (1 + z2 / n)) * Math.sqrt((share * (1 - share)) / n + z2 / (4 * n * n));
  return { share, low: Math.max(0, centre - half), high: Math.min(1, centre + half) };
}

/** Requests from which a share of all good ones has a lower bound at or above `share`. */
export const samplesForShare = (share: number): number => Math.ceil((Z_95 * Z_95 * share) / (1 - share));

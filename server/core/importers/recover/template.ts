const NUMBER = /(\d+(?:\.\d+)?(?:e[+-]?\d+)?)/i;

interface Tokens {
  numbers: number[];
  /** Text around the numbers: two texts with one skeleton differ in numbers only. */
  skeleton: string;
}

export function tokensOf(text: string): Tokens {
  const parts = text.split(new RegExp(NUMBER, 'gi'));
  return {
    numbers: parts.filter((_, i) => i % 2 === 1).map(Number),
    skeleton: parts
      .filter((_, i) => i % 2 === 0)
      .join('\u0000')
      .toLowerCase(),
  };
}

/** What one text becomes when a variable moves from `from` to `to`. */
export interface Shift {
  variable: string;
  from: number;
  to: number;
  text: string;
}

/**
 * Values of variables that turn the text `base` into `given`, as far as single numbers tell: every number of a text is
 * taken to grow linearly with the variables (exact for counts, sizes in other units and sums; the caller verifies).
 * Null where the texts differ in more than numbers.
 */
export function solveNumbers(base: string, shifts: readonly Shift[], given: string): Map<string, number> | null {
  const [start, end] = [tokensOf(base), tokensOf(given)];
  if (start.skeleton !== end.skeleton) return null;
  const solved = new Map<string, number>();
  const moved = shifts.map((shift) => ({ ...shift, tokens: tokensOf(shift.text) }));
  for (const [i, y0] of start.numbers.entries()) {
    const movers = moved.filter(
      ({ tokens }) => tokens.numbers.length === start.numbers.length && tokens.numbers[i] !== y0,
    );
    const [only, ...others] = movers;
    if (only === undefined || others.length > 0) continue;
    const slope = ((only.tokens.numbers[i] ?? y0) - y0) / (only.to - only.from);
    const value = only.from + ((end.numbers[i] ?? y0) - y0) / slope;
    if (Number.isFinite(value) && !solved.has(only.variable)) solved.set(only.variable, value);
  }
  return solved;
}

const SERIES = 7;

/** A plan's colour everywhere: the baseline neutral, variants in Okabe–Ito order by their place after it. */
export const planColor = (index: number, isBaseline: boolean): string =>
  isBaseline ? 'var(--baseline)' : `var(--series-${((Math.max(index, 1) - 1) % SERIES) + 1})`;

/** Variants take the Okabe–Ito colours in this order; the baseline is neutral and dashed wherever it stands. */
const SERIES = 7;
export const BASELINE_COLOR = 'var(--baseline)';
export const BASELINE_DASH = '5 4';

/** Arm 0 is the baseline, so arm n takes colour n; colours come round after seven, as no chart shows more lines. */
export const armColor = (arm: number, isBaseline: boolean): string =>
  isBaseline ? BASELINE_COLOR : `var(--series-${((Math.max(1, arm) - 1) % SERIES) + 1})`;

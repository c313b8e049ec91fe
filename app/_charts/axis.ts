import { decimalsFor, formatFixed } from '@/app/_ui/format';

/** Looks that all charts share. */
export const TICK = { fontSize: 11, fill: 'var(--faint)' } as const;
export const GRID_COLOR = 'var(--grid)';
export const CHART_HEIGHT = 160;
/** Of the names at the left of bars and dots. */
export const NAME_WIDTH = 164;
export const NAME_CHARACTERS = 24;

/** Ticks of one axis share their decimals. */
export function tickText(ticks: readonly number[]): (value: number) => string {
  const step = ticks.length > 1 ? Math.abs((ticks[1] ?? 0) - (ticks[0] ?? 0)) : (ticks[0] ?? 0);
  let decimals = Math.min(6, decimalsFor([step], 1));
  // A step of 2.5 or 0.25 needs one more.
  if (Math.abs(Number(step.toFixed(decimals)) - step) > step * 1e-6) decimals += 1;
  return (value) => formatFixed(value, decimals);
}

export const shorten = (text: string, characters: number): string =>
  text.length <= characters ? text : `${text.slice(0, characters - 1)}…`;

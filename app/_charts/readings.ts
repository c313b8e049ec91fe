import type { LineSeries } from './chart-data';

/** One line of a tooltip. */
export interface Reading {
  arm: number;
  label: string;
  isBaseline: boolean;
  weight: LineSeries['weight'];
  value: number;
  hollow: boolean;
  /** Against the baseline's line of the same weight at the same x; null for itself or where it has a gap. */
  changePercent: number | null;
}

/** Values of all series at `x`, highest first. */
export function readingsAt(series: readonly LineSeries[], x: number): Reading[] {
  const found = series.flatMap((s) => {
    const point = s.points.find((p) => p.x === x);
    return point && point.y !== null ? [{ s, y: point.y, hollow: point.hollow }] : [];
  });
  return found
    .map(({ s, y, hollow }) => {
      const base = s.isBaseline ? undefined : found.find((f) => f.s.isBaseline && f.s.weight === s.weight);
      return {
        arm: s.arm,
        label: s.label,
        isBaseline: s.isBaseline,
        weight: s.weight,
        value: y,
        hollow,
        changePercent: base && base.y !== 0 ? ((y - base.y) / base.y) * 100 : null,
      };
    })
    .sort((a, b) => b.value - a.value);
}

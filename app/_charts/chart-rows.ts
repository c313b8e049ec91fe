import type { LineSeries } from './chart-data';

/** Recharts reads one row an x: value `v0`, `v1`, … of each series; `dot` says how its point is drawn, if at all. */
export interface ChartRow {
  x: number;
  [field: string]: number | string | null;
}
export type DotKind = 'hollow' | 'lone' | null;
export const valueField = (index: number): string => `v${index}`;
export const dotField = (index: number): string => `dot${index}`;

/** A point between two gaps has no line; it is drawn as a dot, or it would be lost. */
function dotKind(series: LineSeries, i: number): DotKind {
  const point = series.points[i];
  if (!point || point.y === null) return null;
  if (point.hollow) return 'hollow';
  const alone = [series.points[i - 1], series.points[i + 1]].every((p) => !p || p.y === null);
  return alone ? 'lone' : null;
}

export function chartRows(series: readonly LineSeries[]): ChartRow[] {
  const rows = new Map<number, ChartRow>();
  series.forEach((s, index) => {
    s.points.forEach((point, i) => {
      const row = rows.get(point.x) ?? { x: point.x };
      row[valueField(index)] = point.y;
      row[dotField(index)] = dotKind(s, i);
      rows.set(point.x, row);
    });
  });
  return [...rows.values()].sort((a, b) => a.x - b.x);
}

/** A round upper end for an axis that begins at 0, and its ticks. */
export function niceTicks(max: number, wanted = 4): number[] {
  if (!(max > 0)) return [0, 1];
  const raw = max / wanted;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 2.5, 5, 10].map((m) => m * power).find((s) => s >= raw * 0.999999) ?? 10 * power;
  const count = Math.ceil(max / step - 1e-9);
  return Array.from({ length: count + 1 }, (_, i) => Number((i * step).toPrecision(12)));
}

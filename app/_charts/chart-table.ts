import type { ChartData, LineSeries } from './chart-data';

export type Cell = string | number | null;
/** The figures behind a chart, exactly those that it shows. */
export interface ChartTable {
  columns: readonly string[];
  rows: readonly (readonly Cell[])[];
}

const seriesName = (s: LineSeries): string => (s.weight === 'thin' ? `${s.label} p99` : s.label);

/** Lines share their x, so they become one row an x and one column a line; a gap is an empty cell. */
function linesTable(data: Extract<ChartData, { kind: 'lines' }>, unit: string): ChartTable {
  const xs = [...new Set(data.series.flatMap((s) => s.points.filter((p) => p.y !== null).map((p) => p.x)))];
  xs.sort((a, b) => a - b);
  const byX = data.series.map((s) => new Map(s.points.map((p) => [p.x, p.y])));
  const nameOf = (x: number): Cell => data.x.ticks?.find((tick) => tick.value === x)?.label ?? x;
  return {
    columns: [
      data.x.unit ? `${data.x.label} (${data.x.unit})` : data.x.label,
      ...data.series.map((s) => `${seriesName(s)} (${unit})`),
    ],
    rows: xs.map((x) => [nameOf(x), ...byX.map((points) => points.get(x) ?? null)]),
  };
}

export function tableOf(data: ChartData, unit: string): ChartTable {
  switch (data.kind) {
    case 'lines':
      return linesTable(data, unit);
    case 'bars':
      return {
        columns: ['plan', unit, 'low', 'high', 'note'],
        rows: [
          ...data.rows.map((r) => [r.label, r.value, r.low, r.high, r.note]),
          ...data.marks.map((m) => [m.label, m.value, null, null, null]),
        ],
      };
    case 'dots':
      return {
        columns: ['plan', 'block', unit, 'low', 'high', 'note'],
        rows: data.rows.flatMap((r) => [
          ...r.dots.map((d) => [r.label, d.block + 1, d.value, null, null, d.note]),
          ...(r.mean === null ? [] : [[r.label, 'all', r.mean, r.low, r.high, r.verdict]]),
        ]),
      };
    case 'frontier':
      return {
        columns: ['plan', 'load', `${data.x.label} (${data.x.unit})`, unit, 'note'],
        rows: data.series.flatMap((s) => s.points.map((p) => [s.label, p.load, p.x, p.y, p.note])),
      };
  }
}

/** RFC 4180. A text that a spreadsheet would run as a formula gets an apostrophe in front. */
export function csvOf(table: ChartTable): string {
  const cell = (value: Cell): string => {
    if (value === null) return '';
    if (typeof value === 'number') return String(value);
    const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
    return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  return [table.columns, ...table.rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

/** One object a row, keyed by column. */
export const jsonOf = (table: ChartTable): string =>
  JSON.stringify(
    table.rows.map((row) => Object.fromEntries(table.columns.map((column, i) => [column, row[i] ?? null]))),
    null,
    2,
  );

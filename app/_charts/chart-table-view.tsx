'use client';

import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import { decimalsFor, formatFixed } from '@/app/_ui/format';
import { CHART_HEIGHT } from './axis';
import type { Cell, ChartTable } from './chart-table';

const ROW = 22;

/** The figures behind a chart; long ones are drawn row by row as they come into view. */
export function ChartTableView({ table, label }: { table: ChartTable; label: string }) {
  const box = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: table.rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW,
    overscan: 6,
  });
  const decimals = table.columns.map((_, c) => decimalsFor(table.rows.map((row) => numberOf(row[c]))));
  const shown = (value: Cell | undefined, column: number): string => {
    if (value === null || value === undefined) return '';
    if (typeof value === 'string') return value;
    return Number.isInteger(value) && column === 0 ? String(value) : formatFixed(value, decimals[column] ?? 2);
  };
  const rows = virtual.getVirtualItems();
  const before = rows[0]?.start ?? 0;
  const after = virtual.getTotalSize() - (rows.at(-1)?.end ?? 0);
  return (
    <section
      ref={box}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
      tabIndex={0}
      aria-label={`Table: ${label}`}
      className="overflow-auto"
      style={{ height: CHART_HEIGHT }}
    >
      <table className="mono w-full">
        <thead>
          <tr className="sticky top-0 bg-panel text-left text-dim">
            {table.columns.map((column) => (
              <th key={column} scope="col" className="px-2 pb-1 font-normal whitespace-nowrap">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {before > 0 ? <tr style={{ height: before }} /> : null}
          {rows.map(({ index }) => (
            <tr key={index} className="border-t" style={{ height: ROW }}>
              {table.columns.map((column, c) => (
                <td key={column} className="px-2 whitespace-nowrap">
                  {shown(table.rows[index]?.[c], c)}
                </td>
              ))}
            </tr>
          ))}
          {after > 0 ? <tr style={{ height: after }} /> : null}
        </tbody>
      </table>
    </section>
  );
}

const numberOf = (value: Cell | undefined): number | null => (typeof value === 'number' ? value : null);

const STEPS: Readonly<Record<string, readonly [rows: number, columns: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/** The button that an arrow key leads to from the button of a cell, in a table with at most one in each; null at the edge. */
export function cellBeside(from: HTMLElement, key: string): HTMLElement | null {
  const step = STEPS[key];
  const cell = from.closest('td');
  const row = cell?.closest('tr');
  const table = row?.closest('table');
  if (!step || !cell || !row || !table) return null;
  const rows = [...table.rows].filter((other) => other.querySelector('td button') !== null);
  const next = rows[rows.indexOf(row) + step[0]]?.cells[cell.cellIndex + step[1]];
  return next?.querySelector<HTMLElement>('button') ?? null;
}

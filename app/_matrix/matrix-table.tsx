import { type KeyboardEvent, memo, useMemo, useState } from 'react';
import { Table, Tbody, Th, Thead, Tr } from '@/app/_ui/table';
import type { MatrixRow } from '@/server/core/matrix/matrix';
import { cellBeside } from './cell-beside';
import { cellState, type FamilyGroup, generationsOf } from './filter-matrix';
import type { MatrixColumn, MatrixTechnique } from './matrix-messages';
import { SupportIcon, supportWord } from './support-sign';
import type { MatrixState } from './use-matrix';

interface MatrixTableProps {
  groups: readonly FamilyGroup[];
  columns: readonly MatrixColumn[];
  cells: MatrixState['cells'];
  generation: string;
  onOpen: (row: MatrixRow, column: MatrixColumn) => void;
}

/** The first column stays where it is while the engines scroll past under it. */
const STICKY = 'sticky left-0 z-10 bg-panel';

/** The one cell that Tab reaches; arrow keys reach the others. */
interface Place {
  technique: string;
  column: string;
}

interface RowProps extends Pick<MatrixTableProps, 'columns' | 'cells' | 'generation' | 'onOpen'> {
  technique: MatrixTechnique;
  runsOn: ReadonlyMap<string, readonly string[]>;
  /** Column of this row's cell that Tab reaches; null where it is in another row. */
  reached: string | null;
  onReach: (place: Place) => void;
}

const move = (event: KeyboardEvent<HTMLButtonElement>) => {
  const next = cellBeside(event.currentTarget, event.key);
  if (!next) return;
  event.preventDefault();
  next.focus();
};

const TechniqueRow = memo(function TechniqueRow(props: RowProps) {
  const { technique, columns, cells, generation, runsOn, reached, onReach, onOpen } = props;
  return (
    <Tr>
      <Th
        scope="row"
        className={`${STICKY} w-36 max-w-36 min-w-36 text-sm whitespace-normal text-ink sm:w-56 sm:max-w-56`}
      >
        {technique.title}
      </Th>
      {columns.map((column) => {
        const row = cells.get(column.id)?.get(technique.type);
        if (!row) {
          return (
            <td key={column.id} className="px-1 text-center text-faint">
              <span aria-hidden>…</span>
              <span className="sr-only">being judged</span>
            </td>
          );
        }
        const state = cellState(row, generation, runsOn.get(column.id) ?? []);
        return (
          <td key={column.id} className="p-0.5 text-center">
            <button
              type="button"
              aria-label={`${technique.title} on ${column.title}: ${supportWord(state)}`}
              className="inline-flex h-8 w-full min-w-11 scroll-ml-40 items-center justify-center rounded-md hover:bg-grid sm:scroll-ml-60"
              tabIndex={column.id === reached ? 0 : -1}
              onFocus={() => onReach({ technique: technique.type, column: column.id })}
              onKeyDown={move}
              onClick={() => onOpen(row, column)}
            >
              <SupportIcon state={state} />
            </button>
          </td>
        );
      })}
    </Tr>
  );
});

/** Techniques down, engines across; each cell opens its reason. */
export function MatrixTable({ groups, columns, cells, generation, onOpen }: MatrixTableProps) {
  const runsOn = useMemo(
    () => new Map([...cells].map(([column, rows]) => [column, generationsOf(rows.values())])),
    [cells],
  );
  const [chosen, setChosen] = useState<Place | null>(null);
  const types = groups.flatMap(({ techniques }) => techniques.map(({ type }) => type));
  // What was filtered out or is not judged yet cannot be reached: then the first cell that can.
  const column =
    columns.find(({ id }) => id === chosen?.column && cells.has(id)) ?? columns.find(({ id }) => cells.has(id));
  const row = types.find((type) => type === chosen?.technique) ?? types[0];
  return (
    <Table label="Techniques by engine">
      <Thead>
        <Tr>
          <Th className={STICKY}>Technique</Th>
          {columns.map(({ id, title }) => (
            <Th key={id} className="min-w-20 px-1 text-center align-bottom whitespace-normal">
              {title}
            </Th>
          ))}
        </Tr>
      </Thead>
      {groups.map(({ family, title, techniques }) => (
        <Tbody key={family}>
          <Tr>
            <th
              scope="rowgroup"
              colSpan={columns.length + 1}
              className="bg-grid px-0 py-1 text-left text-xs font-medium"
            >
              <span className="sticky left-0 flex w-fit items-center gap-2 px-3">
                <span
                  aria-hidden
                  className="h-3.5 w-[3px] rounded-sm"
                  style={{ background: `var(--family-${family})` }}
                />
                {title}
              </span>
            </th>
          </Tr>
          {techniques.map((technique) => (
            <TechniqueRow
              key={technique.type}
              technique={technique}
              columns={columns}
              cells={cells}
              generation={generation}
              runsOn={runsOn}
              reached={technique.type === row ? (column?.id ?? null) : null}
              onReach={setChosen}
              onOpen={onOpen}
            />
          ))}
        </Tbody>
      ))}
    </Table>
  );
}

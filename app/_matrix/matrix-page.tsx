'use client';

import { useQueryState } from 'nuqs';
import { useCallback, useState } from 'react';
import { Field } from '@/app/_ui/field';
import { Input } from '@/app/_ui/input';
import { Loading } from '@/app/_ui/loading';
import { Problem } from '@/app/_ui/problem';
import { Select, type SelectOption } from '@/app/_ui/select';
import type { MatrixRow } from '@/server/core/matrix/matrix';
import { CellDialog } from './cell-dialog';
import { ALL, filterMatrix } from './filter-matrix';
import type { MatrixColumn, MatrixShape } from './matrix-messages';
import { MatrixTable } from './matrix-table';
import { SupportSign } from './support-sign';
import { type MatrixState, useMatrix } from './use-matrix';

const withAll = (label: string, options: SelectOption[]): SelectOption[] => [{ value: ALL, label }, ...options];

/** Each family once, in the order of the catalogue. */
const familyOptions = ({ techniques }: MatrixShape): SelectOption[] => [
  ...new Map(techniques.map(({ family, familyTitle }) => [family, { value: family, label: familyTitle }])).values(),
];

const FILTERS = ['family', 'engine', 'generation'] as const;

function useFilter() {
  const [query, setQuery] = useQueryState('q', { defaultValue: '' });
  const [family, setFamily] = useQueryState('family', { defaultValue: ALL });
  const [engine, setEngine] = useQueryState('engine', { defaultValue: ALL });
  const [generation, setGeneration] = useQueryState('gpu', { defaultValue: ALL });
  const set = { query: setQuery, family: setFamily, engine: setEngine, generation: setGeneration };
  return { filter: { query, family, engine, generation }, set };
}

function Legend() {
  return (
    <ul aria-label="Legend" className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
      {(['yes', 'partly', 'no', 'absent'] as const).map((state) => (
        <li key={state}>
          <SupportSign state={state} />
        </li>
      ))}
    </ul>
  );
}

/** The table with its filters, once the shape is known. */
function Matrix({ shape, cells }: { shape: MatrixShape; cells: MatrixState['cells'] }) {
  const { filter, set } = useFilter();
  const [open, setOpen] = useState<{ row: MatrixRow; column: MatrixColumn } | null>(null);
  const { groups, columns } = filterMatrix(shape, filter);
  const options = {
    family: withAll('All families', familyOptions(shape)),
    engine: withAll(
      'All engines',
      shape.columns.map(({ id, title }) => ({ value: id, label: title })),
    ),
    generation: withAll(
      'All generations',
      shape.generations.map(({ id, title }) => ({ value: id, label: id === 'cpu' ? title : `${id} ${title}` })),
    ),
  };
  const labels = { family: 'Family', engine: 'Engine', generation: 'GPU generation' };
  const judged = cells.size;
  const show = useCallback((row: MatrixRow, column: MatrixColumn) => setOpen({ row, column }), []);
  return (
    <>
      <div className="grid gap-3 sm:grid-cols-2 lg:grid-cols-4">
        <Field label="Search">
          {(ids) => (
            <Input
              {...ids}
              type="search"
              placeholder="Technique, or another name of it"
              value={filter.query}
              onChange={({ target }) => void set.query(target.value)}
            />
          )}
        </Field>
        {FILTERS.map((name) => (
          <Field key={name} label={labels[name]}>
            {(ids) => (
              <Select
                {...ids}
                options={options[name]}
                value={filter[name]}
                onValueChange={(value) => void set[name](value)}
              />
            )}
          </Field>
        ))}
      </div>
      <Legend />
      <p role="status" className="text-xs text-dim">
        {judged < shape.columns.length
          ? `Judging: ${judged} of ${shape.columns.length} engines are done.`
          : `${groups.reduce((sum, group) => sum + group.techniques.length, 0)} techniques, ${columns.length} engines.`}
      </p>
      {groups.length === 0 ? <p className="text-dim">No technique of that name. Try another word.</p> : null}
      <MatrixTable groups={groups} columns={columns} cells={cells} generation={filter.generation} onOpen={show} />
      {open ? (
        <CellDialog
          row={open.row}
          columnTitle={open.column.title}
          generation={filter.generation}
          generations={shape.generations}
          onClose={() => setOpen(null)}
        />
      ) : null}
    </>
  );
}

/** Which technique works on which engine and generation of devices: what the compiler says of each, with its reason. */
export function MatrixPage() {
  const { shape, cells, failure } = useMatrix();
  return (
    <div className="mx-auto grid max-w-6xl grid-cols-[minmax(0,1fr)] gap-4 px-4 py-5">
      <div>
        <h1 className="text-title">What works where</h1>
        <p className="text-dim">
          Every technique on every engine, as the compiler judges it with representative values. Open a cell for what it
          becomes, or why it is refused; arrow keys go from cell to cell.
        </p>
      </div>
      {failure === null ? null : <Problem title="The matrix is not complete.">{failure}</Problem>}
      {shape ? <Matrix shape={shape} cells={cells} /> : <Loading what="the matrix" />}
    </div>
  );
}

import { Dialog } from '@/app/_ui/dialog';
import type { Generation } from '@/server/core/matrix/generations';
import type { MatrixRow } from '@/server/core/matrix/matrix';
import { ALL } from './filter-matrix';
import { SupportSign } from './support-sign';

interface CellDialogProps {
  row: MatrixRow;
  columnTitle: string;
  generation: string;
  generations: readonly Generation[];
  onClose: () => void;
}

/** Source of a verdict; a link where it is an address. */
function Source({ text }: { text: string }) {
  const isLink = /^https?:\/\/\S+$/.test(text);
  return (
    <p className="text-xs [overflow-wrap:anywhere] text-dim">
      Source:{' '}
      {isLink ? (
        <a href={text} className="underline" rel="noreferrer" target="_blank">
          {text}
        </a>
      ) : (
        text
      )}
    </p>
  );
}

/** Why a cell is as it is: what the technique becomes, the reason with its source, and each generation. */
export function CellDialog({ row, columnTitle, generation, generations, onClose }: CellDialogProps) {
  const verdict = generation === ALL ? row : (row.cells[generation] ?? row);
  return (
    <Dialog open onOpenChange={(open) => (open ? undefined : onClose())} title={`${row.title} on ${columnTitle}`}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
        <SupportSign state={verdict.support} />
        {verdict.how === null ? null : (
          <div>
            <h3 className="text-xs text-dim">Becomes</h3>
            <p className="mono text-xs [overflow-wrap:anywhere]">{verdict.how}</p>
          </div>
        )}
        {verdict.reason === null ? null : (
          <div>
            <h3 className="text-xs text-dim">{verdict.support === 'no' ? 'Why not' : 'Limit'}</h3>
            <p className="[overflow-wrap:anywhere]">{verdict.reason}</p>
          </div>
        )}
        {verdict.source === null ? null : <Source text={verdict.source} />}
        <div>
          <h3 className="text-xs text-dim">By generation</h3>
          <ul className="mt-1 grid gap-1 text-sm">
            {generations.map(({ id, title }) => {
              const cell = row.cells[id];
              return cell ? (
                <li key={id} className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-3 border-b pb-1 last:border-b-0">
                  <span>
                    <span className="mono">{id}</span> <span className="text-dim">{id === 'cpu' ? '' : title}</span>
                  </span>
                  <SupportSign state={cell.support} />
                  {cell.reason === null ? null : (
                    <span className="col-span-2 text-xs break-words text-dim">{cell.reason}</span>
                  )}
                </li>
              ) : null;
            })}
          </ul>
        </div>
      </div>
    </Dialog>
  );
}

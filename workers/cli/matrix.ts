import { GENERATIONS } from '@/server/core/matrix/generations';
import { columnTitle, MATRIX_ENGINES, type MatrixRow, matrixOf } from '@/server/core/matrix/matrix';
import { ExitError, printJson, type Verb } from './verb';

const SIGNS = { yes: '+', partly: '~', no: '-' } as const;

function describeRow({ technique, support, how, reason, source, gpus }: MatrixRow): string {
  const devices = Object.entries(gpus).map(([id, s]) => `${id}${SIGNS[s]}`);
  const why = reason === null ? [] : [`    ${reason}${source === null ? '' : ` (${source})`}`];
  return [`${technique}: ${support}${how === null ? '' : `  ${how}`}`, `    ${devices.join(' ')}`, ...why].join('\n');
}

/** Rows of the engines of that id, or of all. @throws ExitError(2) for an engine that is not in the matrix */
function rowsOf(id: string | undefined): MatrixRow[] {
  const engines = MATRIX_ENGINES.filter(({ engine }) => id === undefined || engine.id === id);
  if (engines.length > 0) return matrixOf(engines);
  const known = MATRIX_ENGINES.map(({ engine }) => engine.id).join(', ');
  throw new ExitError(2, `--engine ${id} is not in the matrix; known are ${known}`);
}

export const matrix: Verb = {
  name: 'matrix',
  summary: 'says which technique works on which engine and GPU generation, and why not',
  describe(command) {
    command
      .option('--engine <id>', 'this engine only')
      .option('--json', 'print one JSON document')
      .action((options: { engine?: string; json?: boolean }) => {
        const rows = rowsOf(options.engine);
        if (options.json) {
          printJson(rows.map(({ cells: _, ...row }) => row));
          return;
        }
        const blocks = MATRIX_ENGINES.flatMap((column) => {
          const own = rows.filter((row) => row.engine === column.engine.id && row.runtime === column.runtime);
          return own.length === 0 ? [] : [`# ${columnTitle(column)}`, ...own.map(describeRow)];
        });
        const legend = GENERATIONS.map(({ id, title }) => `${id}: ${title}`).join(' · ');
        process.stdout.write(`${[...blocks, `+ yes  ~ with a condition  - no`, legend].join('\n')}\n`);
      });
  },
};

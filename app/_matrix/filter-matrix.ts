import type { MatrixRow } from '@/server/core/matrix/matrix';
import type { MatrixColumn, MatrixShape, MatrixTechnique } from './matrix-messages';

/** Value of a filter that filters nothing. */
export const ALL = 'all';

interface MatrixFilter {
  /** Words that all stand in a name of the technique; case, blanks and hyphens do not count. */
  query: string;
  family: string;
  engine: string;
  generation: string;
}

export interface FamilyGroup {
  family: string;
  title: string;
  techniques: MatrixTechnique[];
}

const joined = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');

function isFound({ title, type, aliases }: MatrixTechnique, query: string): boolean {
  const names = [title, type, ...aliases].map(joined);
  const words = query.split(/\s+/).map(joined);
  return words.every((word) => names.some((name) => name.includes(word)));
}

/** Techniques by family in the order of the catalogue, and the columns that are shown. */
export function filterMatrix(
  { techniques, columns }: MatrixShape,
  { query, family, engine }: MatrixFilter,
): { groups: FamilyGroup[]; columns: MatrixColumn[] } {
  const shown = techniques.filter(
    (technique) => (family === ALL || technique.family === family) && isFound(technique, query),
  );
  const families = [...new Set(shown.map((technique) => technique.family))];
  const groups = families.map((id): FamilyGroup => {
    const own = shown.filter((technique) => technique.family === id);
    return { family: id, title: own[0]?.familyTitle ?? id, techniques: own };
  });
  return { groups, columns: columns.filter(({ id }) => engine === ALL || id === engine) };
}

export type CellState = MatrixRow['support'] | 'absent';

/** What one cell shows: over all generations, or on one; `absent` where the engine does not run there at all. */
export function cellState(row: MatrixRow, generation: string, runsOn: readonly string[]): CellState {
  if (generation === ALL) return row.support;
  if (!runsOn.includes(generation)) return 'absent';
  return row.gpus[generation] ?? 'absent';
}

/** Generations on which an engine does anything at all. */
export function generationsOf(rows: Iterable<MatrixRow>): string[] {
  const found = new Set<string>();
  for (const { gpus } of rows) {
    for (const [id, support] of Object.entries(gpus)) if (support !== 'no') found.add(id);
  }
  return [...found];
}

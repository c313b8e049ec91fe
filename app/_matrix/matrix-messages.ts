import type { Generation } from '@/server/core/matrix/generations';
import type { MatrixRow } from '@/server/core/matrix/matrix';

export interface MatrixColumn {
  /** Engine id, with its runtime where it has several. */
  id: string;
  title: string;
}

export interface MatrixTechnique {
  type: string;
  title: string;
  /** Other names that people search for. */
  aliases: readonly string[];
  family: string;
  familyTitle: string;
}

/** Rows and columns, known at once; the cells of a column follow when they are judged. */
export interface MatrixShape {
  kind: 'shape';
  columns: MatrixColumn[];
  techniques: MatrixTechnique[];
  generations: Generation[];
}

interface MatrixColumnRows {
  kind: 'rows';
  column: string;
  rows: MatrixRow[];
}

export type MatrixMessage = MatrixShape | MatrixColumnRows;

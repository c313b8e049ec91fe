import { TECHNIQUES } from '@/server/core/catalog/techniques/index';
import { GENERATIONS } from '@/server/core/matrix/generations';
import { columnTitle, MATRIX_ENGINES, matrixOf } from '@/server/core/matrix/matrix';
import { FAMILY_TITLES } from '../_builder/catalog';
import type { MatrixMessage } from './matrix-messages';

const post = (message: MatrixMessage): void => self.postMessage(message);

post({
  kind: 'shape',
  columns: MATRIX_ENGINES.map((column) => ({ id: column.engine.id, title: columnTitle(column) })),
  techniques: TECHNIQUES.map(({ type, title, family, aliases = [] }) => ({
    type,
    title,
    aliases,
    family,
    familyTitle: FAMILY_TITLES[family],
  })),
  generations: [...GENERATIONS],
});
for (const column of MATRIX_ENGINES) post({ kind: 'rows', column: column.engine.id, rows: matrixOf([column]) });

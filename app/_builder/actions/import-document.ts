import type { Pipeline } from '@/server/core/pipeline/document';
import type { BuilderAction } from './action';

/** Puts another document in place of this one: an import, a restored version, a recovery copy. */
export const importDocument: BuilderAction<{ document: Pipeline }> = {
  id: 'import-document',
  label: 'Replace document',
  shortcut: null,
  coalesceKey: null,
  apply: (_pipeline, { document }) => document,
};

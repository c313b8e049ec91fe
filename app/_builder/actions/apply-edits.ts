import { applyEdits as applyCoreEdits } from '@/server/core/pipeline/apply-edits';
import type { Edit } from '@/server/core/plan/finding';
import type { BuilderAction } from './action';

/** A finding's quick fix: all of its edits in one step. */
export const applyEdits: BuilderAction<{ edits: readonly Edit[] }> = {
  id: 'apply-edits',
  label: 'Quick fix',
  shortcut: null,
  coalesceKey: null,
  apply: (pipeline, { edits }) => applyCoreEdits(pipeline, [...edits]),
};

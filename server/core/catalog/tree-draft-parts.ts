import { z } from 'zod';
import type { SettingName, SettingValues } from '../plan/settings';
import { param } from './param';

/** What drafts by heads of the target share (EAGLE, EAGLE-3, MTP): tokens, and branches and levels of a tree. */
export const treeDraftParams = (k: number, sweep: readonly number[]) =>
  z.object({
    k: param(z.number().int().min(1).max(64).default(k), {
      label: 'Drafted tokens',
      unit: 'tokens',
      description: 'Tokens proposed for each step of the target.',
      kind: 'launch',
      sweep,
    }),
    branches: param(z.number().int().min(1).max(64).nullable().default(null), {
      label: 'Branches',
      unit: 'branches',
      description: "Tree drafts: candidates kept at each level. 1 is a chain; empty leaves the engine's default.",
      kind: 'launch',
      sweep: [1, 4, 8],
    }),
    depth: param(z.number().int().min(1).max(64).nullable().default(null), {
      label: 'Levels',
      unit: 'tokens',
      description:
        'Tree drafts: levels of the tree, the most drafted tokens that one step can accept. A chain has as many as tokens.',
      kind: 'launch',
      sweep: [3, 5, 7],
    }),
  });
type Params = z.infer<ReturnType<typeof treeDraftParams>>;

export const TREE_DRAFT_SETTINGS = [
  'speculation',
  'draftTokens',
  'draftTreeTopK',
  'draftTreeDepth',
] as const satisfies readonly SettingName[];

export const applyTreeDraft = (method: SettingValues['speculation'], p: Params) => ({
  speculation: { value: method, field: 'k' as const },
  draftTokens: { value: p.k, field: 'k' as const },
  ...(p.branches !== null && { draftTreeTopK: { value: p.branches, field: 'branches' as const } }),
  ...(p.depth !== null && { draftTreeDepth: { value: p.depth, field: 'depth' as const } }),
});

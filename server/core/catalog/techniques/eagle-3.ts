import { z } from 'zod';
import type { NodeType } from '../node-type';
import { param } from '../param';
import { defineNodeType, draftInput, servingInput, servingOutput } from '../ports';

export const eagle3: NodeType = defineNodeType({
  type: 'eagle-3',
  family: 'decoding',
  group: 'Speculation',
  title: 'Speculation, EAGLE-3',
  summary: 'A head that reads several layers of the target drafts tokens directly.',
  aliases: ['EAGLE3', 'draft tree', 'draft-eagle3', 'speculative decoding'],
  stage: 'decoding',
  inputs: [servingInput, draftInput('EAGLE-3 head')],
  outputs: [servingOutput],
  params: z.object({
    k: param(z.number().int().min(1).max(64).default(4), {
      label: 'Drafted tokens',
      unit: 'tokens',
      description: 'Tokens proposed for each step of the target.',
      kind: 'launch',
      sweep: [2, 3, 4, 6],
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
  }),
  apply: (p) => ({
    speculation: { value: 'eagle3', field: 'k' },
    draftTokens: { value: p.k, field: 'k' },
    ...(p.branches !== null && { draftTreeTopK: { value: p.branches, field: 'branches' } }),
    ...(p.depth !== null && { draftTreeDepth: { value: p.depth, field: 'depth' } }),
  }),
  settings: ['speculation', 'draftTokens', 'draftTreeTopK', 'draftTreeDepth'],
  label: (p) => `EAGLE-3 k=${p.k}`,
  technique: {
    loss: 'none',
    maturity: 'production',
    suits:
      'Low load with a trained head for the target: about 3× at batch 1 (Spec-Bench, 13B), 1.55× at one client, 1.05× at 64.',
    helps: ['decode'],
    hurtsWhen: 'The batch is large: the gain shrinks to nothing. The head must belong to this very model.',
    references: ['https://arxiv.org/abs/2503.01840'],
  },
});

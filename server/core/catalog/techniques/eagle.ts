import { z } from 'zod';
import type { NodeType } from '../node-type';
import { param } from '../param';
import { defineNodeType, draftInput, servingInput, servingOutput } from '../ports';

export const eagle: NodeType = defineNodeType({
  type: 'eagle',
  family: 'decoding',
  group: 'Speculation',
  title: 'Speculation, EAGLE',
  summary: 'A small head on top of the target drafts from its last hidden state.',
  aliases: ['EAGLE-1', 'EAGLE-2', 'draft tree', 'speculative decoding'],
  stage: 'decoding',
  inputs: [servingInput, draftInput('EAGLE head')],
  outputs: [servingOutput],
  params: z.object({
    k: param(z.number().int().min(1).max(64).default(4), {
      label: 'Drafted tokens',
      unit: 'tokens',
      description: 'Tokens proposed for each step of the target.',
      kind: 'launch',
      sweep: [2, 4, 6],
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
    speculation: { value: 'eagle', field: 'k' },
    draftTokens: { value: p.k, field: 'k' },
    ...(p.branches !== null && { draftTreeTopK: { value: p.branches, field: 'branches' } }),
    ...(p.depth !== null && { draftTreeDepth: { value: p.depth, field: 'depth' } }),
  }),
  settings: ['speculation', 'draftTokens', 'draftTreeTopK', 'draftTreeDepth'],
  label: (p) => `EAGLE k=${p.k}`,
  technique: {
    loss: 'none',
    maturity: 'production',
    suits: 'Chat and code at low load, where a trained head for the target exists.',
    helps: ['decode'],
    hurtsWhen:
      'The batch is large, or the head was trained for another fine-tune: drafts are rejected and the checks cost time.',
    references: ['https://arxiv.org/abs/2401.15077', 'https://arxiv.org/abs/2406.16858'],
  },
});

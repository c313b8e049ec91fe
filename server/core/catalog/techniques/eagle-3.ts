import type { NodeType } from '../node-type';
import { defineNodeType, draftInput, servingInput, servingOutput } from '../ports';
import { applyTreeDraft, TREE_DRAFT_SETTINGS, treeDraftParams } from '../tree-draft-parts';

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
  params: treeDraftParams(4, [2, 3, 4, 6]),
  apply: (p) => applyTreeDraft('eagle3', p),
  settings: TREE_DRAFT_SETTINGS,
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

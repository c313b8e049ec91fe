import type { NodeType } from '../node-type';
import { defineNodeType, draftInput, servingInput, servingOutput } from '../ports';
import { applyTreeDraft, TREE_DRAFT_SETTINGS, treeDraftParams } from '../tree-draft-parts';

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
  params: treeDraftParams(4, [2, 4, 6]),
  apply: (p) => applyTreeDraft('eagle', p),
  settings: TREE_DRAFT_SETTINGS,
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

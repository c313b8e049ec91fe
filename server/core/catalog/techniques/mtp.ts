import type { NodeType } from '../node-type';
import { defineNodeType, draftInput, servingInput, servingOutput } from '../ports';
import { applyTreeDraft, TREE_DRAFT_SETTINGS, treeDraftParams } from '../tree-draft-parts';

export const mtp: NodeType = defineNodeType({
  type: 'mtp',
  family: 'decoding',
  group: 'Speculation',
  title: 'Speculation, MTP',
  summary: "Multi-token prediction: the model's own extra layers, trained with it, draft the next tokens.",
  aliases: ['multi-token prediction', 'NEXTN', 'DeepSeek', 'draft-mtp', 'speculative decoding', 'draft tree'],
  stage: 'decoding',
  // Only where the layers are not part of the target's own checkpoint.
  inputs: [servingInput, draftInput('MTP draft')],
  outputs: [servingOutput],
  params: treeDraftParams(1, [1, 2, 3]),
  apply: (p) => applyTreeDraft('mtp', p),
  settings: TREE_DRAFT_SETTINGS,
  label: (p) => `MTP k=${p.k}`,
  technique: {
    loss: 'none',
    maturity: 'production',
    suits:
      'Models that ship such layers (DeepSeek-V3, Qwen3.5, GLM-4.5): no second model, high acceptance for the first token.',
    helps: ['decode'],
    hurtsWhen:
      'The model has no MTP layers, or k is far above their number: each further token is guessed by the same layer and is accepted less often.',
    references: ['https://arxiv.org/abs/2412.19437'],
  },
});

import { z } from 'zod';
import type { NodeType } from '../node-type';
import { param } from '../param';
import { defineNodeType, draftInput, servingInput, servingOutput } from '../ports';

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
  params: z.object({
    k: param(z.number().int().min(1).max(64).default(1), {
      label: 'Drafted tokens',
      unit: 'tokens',
      description: 'Tokens proposed for each step of the target.',
      kind: 'launch',
      sweep: [1, 2, 3],
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
    speculation: { value: 'mtp', field: 'k' },
    draftTokens: { value: p.k, field: 'k' },
    ...(p.branches !== null && { draftTreeTopK: { value: p.branches, field: 'branches' } }),
    ...(p.depth !== null && { draftTreeDepth: { value: p.depth, field: 'depth' } }),
  }),
  settings: ['speculation', 'draftTokens', 'draftTreeTopK', 'draftTreeDepth'],
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

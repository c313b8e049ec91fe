import { z } from 'zod';
import type { NodeType } from '../node-type';
import { param } from '../param';
import { defineNodeType, servingInput, servingOutput } from '../ports';

export const promptLookup: NodeType = defineNodeType({
  type: 'prompt-lookup',
  family: 'decoding',
  group: 'Speculation',
  title: 'Speculation, prompt lookup',
  aliases: ['n-gram', 'ngram', 'PLD', 'speculative decoding'],
  summary: 'Drafts by copying what followed the same few tokens earlier in the text. Needs no second model.',
  stage: 'decoding',
  inputs: [servingInput],
  outputs: [servingOutput],
  params: z.object({
    k: param(z.number().int().min(1).max(64).default(4), {
      label: 'Drafted tokens',
      unit: 'tokens',
      description: 'Tokens copied for each step of the target.',
      kind: 'launch',
      sweep: [2, 4, 8],
    }),
    min: param(z.number().int().min(1).max(64).nullable().default(2), {
      label: 'Shortest match',
      unit: 'tokens',
      description:
        'Fewest tokens that must agree before a copy starts. Empty leaves it to the engine: SGLang takes none.',
      kind: 'launch',
      sweep: [1, 2, 3],
    }),
    max: param(z.number().int().min(1).max(64).nullable().default(4), {
      label: 'Longest match',
      unit: 'tokens',
      description: 'Most tokens that are compared; a longer match is tried first. Empty leaves it to the engine.',
      kind: 'launch',
      sweep: [3, 4, 5],
    }),
  }),
  apply: (p) => ({
    speculation: { value: 'prompt-lookup', field: 'k' },
    draftTokens: { value: p.k, field: 'k' },
    ...(p.min !== null && { promptLookupMinTokens: { value: p.min, field: 'min' } }),
    ...(p.max !== null && { promptLookupMaxTokens: { value: p.max, field: 'max' } }),
  }),
  settings: ['speculation', 'draftTokens', 'promptLookupMinTokens', 'promptLookupMaxTokens'],
  label: (p) => `lookup k=${p.k}`,
  technique: {
    loss: 'none',
    maturity: 'production',
    suits: 'Summaries, code edits, retrieval: answers that repeat their prompt.',
    helps: ['decode'],
    hurtsWhen: 'The answer repeats nothing: drafts are rejected and the checks cost time.',
    references: ['https://github.com/apoorvumang/prompt-lookup-decoding'],
  },
});

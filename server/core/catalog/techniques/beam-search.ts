import { z } from 'zod';
import type { NodeType } from '../node-type';
import { param } from '../param';
import { defineNodeType, servingInput, servingOutput } from '../ports';

export const beamSearch: NodeType = defineNodeType({
  type: 'beam-search',
  family: 'decoding',
  group: 'Sampling',
  title: 'Beam search',
  summary:
    'Several continuations are kept, and the likeliest whole answer wins. Sent with every request, not at launch.',
  aliases: ['beams', 'best_of'],
  stage: 'decoding',
  inputs: [servingInput],
  outputs: [servingOutput],
  params: z.object({
    beams: param(z.number().int().min(1).max(32).default(4), {
      label: 'Beams',
      unit: 'sequences',
      description: 'Continuations kept at each step; 1: none.',
      kind: 'request',
      sweep: [1, 2, 4],
    }),
  }),
  apply: (p) => ({ beams: { value: p.beams, field: 'beams' } }),
  settings: ['beams'],
  label: (p) => `${p.beams} beams`,
  technique: {
    loss: 'none',
    maturity: 'production',
    suits: 'Translation and short answers with one right wording.',
    helps: [],
    hurtsWhen:
      'Speculation is on (no engine does both), or many requests wait: every beam takes a sequence of its own.',
    references: ['https://arxiv.org/abs/1702.01806'],
  },
});

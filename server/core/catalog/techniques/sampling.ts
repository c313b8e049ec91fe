import { z } from 'zod';
import type { NodeType, ParamMeta } from '../node-type';
import { param } from '../param';
import { defineNodeType, servingInput, servingOutput } from '../ports';

const request = (label: string, description: string, sweep: readonly number[]): ParamMeta => ({
  label,
  unit: null,
  description: `${description} Empty leaves the engine's default.`,
  kind: 'request',
  sweep,
});

export const sampling: NodeType = defineNodeType({
  type: 'sampling',
  family: 'decoding',
  group: 'Sampling',
  title: 'Sampling',
  aliases: ['greedy', 'temperature', 'top-p', 'top-k', 'min-p', 'nucleus'],
  summary: 'How the next token is drawn. Temperature 0 is greedy. Sent with every request, not at launch.',
  stage: 'decoding',
  inputs: [servingInput],
  outputs: [servingOutput],
  params: z.object({
    temperature: param(
      z.number().min(0).max(2).nullable().default(0),
      request('Temperature', '0 takes the likeliest token; higher draws more widely.', [0, 0.7, 1]),
    ),
    top_p: param(
      z.number().gt(0).max(1).nullable().default(null),
      request('Top-p', 'Draws from the likeliest tokens that sum to this probability.', [0.8, 0.95, 1]),
    ),
    top_k: param(
      z.number().int().min(0).nullable().default(null),
      request('Top-k', 'Draws from so many of the likeliest tokens; 0: all.', [0, 20, 40]),
    ),
    min_p: param(
      z.number().min(0).max(1).nullable().default(null),
      request('Min-p', "Drops tokens below this share of the likeliest token's probability.", [0, 0.05, 0.1]),
    ),
    beams: param(
      z.number().int().min(1).max(32).nullable().default(null),
      request('Beams', 'Beam search over so many sequences; 1: none.', [1, 2, 4]),
    ),
  }),
  apply: (p) => ({
    ...(p.temperature !== null && { temperature: { value: p.temperature, field: 'temperature' } }),
    ...(p.top_p !== null && { topP: { value: p.top_p, field: 'top_p' } }),
    ...(p.top_k !== null && { topK: { value: p.top_k, field: 'top_k' } }),
    ...(p.min_p !== null && { minP: { value: p.min_p, field: 'min_p' } }),
    ...(p.beams !== null && { beams: { value: p.beams, field: 'beams' } }),
  }),
  settings: ['temperature', 'topP', 'topK', 'minP', 'beams'],
  label: (p) => (p.temperature === 0 ? 'greedy' : 'sampling'),
  technique: {
    loss: 'none',
    maturity: 'production',
    suits: 'Making runs comparable (greedy), or like the product that will send the requests.',
    helps: [],
    hurtsWhen: 'Speculation runs at a high temperature: fewer drafted tokens are accepted.',
    references: ['https://arxiv.org/abs/1904.09751'],
  },
});

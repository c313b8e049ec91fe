import { z } from 'zod';
import type { NodeType } from '../node-type';
import { onOffParam } from '../on-off-param';
import { defineNodeType, servingInput, servingOutput } from '../ports';

export const chunkedPrefill: NodeType = defineNodeType({
  type: 'chunked-prefill',
  family: 'serving',
  group: 'Batching',
  title: 'Chunked prefill',
  summary: 'Long prompts are read in pieces between decode steps of the others.',
  aliases: ['stall-free batching', 'Sarathi', 'mixed batches'],
  stage: 'serving',
  inputs: [servingInput],
  outputs: [servingOutput],
  params: z.object({ state: onOffParam('Prompts in pieces, or each in one step of its own.') }),
  apply: (p) => ({ chunkedPrefill: { value: p.state, field: 'state' } }),
  settings: ['chunkedPrefill'],
  label: (p) => `chunked prefill ${p.state}`,
  technique: {
    loss: 'none',
    maturity: 'production',
    suits: 'Long prompts beside running answers: nobody stalls for a whole prefill.',
    helps: ['decode'],
    hurtsWhen: 'Only TTFT of single long prompts counts: pieces read the weights once each.',
    references: ['https://arxiv.org/abs/2403.02310', 'https://arxiv.org/abs/2308.16369'],
  },
});

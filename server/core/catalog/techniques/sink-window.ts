import { z } from 'zod';
import type { NodeType } from '../node-type';
import { param } from '../param';
import { defineNodeType, servingInput, servingOutput } from '../ports';

export const sinkWindow: NodeType = defineNodeType({
  type: 'sink-window',
  family: 'kv-cache',
  title: 'Attention-sink window',
  aliases: ['StreamingLLM', 'attention sinks', 'context shift'],
  summary: 'A full context drops its middle: the first tokens (the sinks) and the latest ones stay.',
  stage: 'kv-cache',
  inputs: [servingInput],
  outputs: [servingOutput],
  params: z.object({
    sinkTokens: param(z.number().int().min(0).max(4096).default(4), {
      label: 'Sink tokens',
      unit: 'tokens',
      description: 'First tokens that are never dropped.',
      kind: 'launch',
      sweep: [0, 4, 16],
    }),
  }),
  apply: (p) => ({ sinkTokens: { value: p.sinkTokens, field: 'sinkTokens' } }),
  settings: ['sinkTokens'],
  label: (p) => `${p.sinkTokens} sinks`,
  technique: {
    loss: 'lossy',
    maturity: 'evolving',
    suits: 'Endless streams that need the recent past only.',
    helps: ['memory', 'capacity'],
    hurtsWhen: 'An answer depends on something that has slid out of the window.',
    references: ['https://arxiv.org/abs/2309.17453'],
  },
});

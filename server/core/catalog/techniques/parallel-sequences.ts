import { z } from 'zod';
import type { NodeType } from '../node-type';
import { param } from '../param';
import { defineNodeType, servingInput, servingOutput } from '../ports';

export const parallelSequences: NodeType = defineNodeType({
  type: 'parallel-sequences',
  family: 'serving',
  group: 'Batching',
  title: 'Parallel sequences',
  aliases: ['continuous batching', 'in-flight batching', 'max-num-seqs', 'max sequences', 'max batch size'],
  summary: 'How many sequences are decoded in one step (continuous batching).',
  stage: 'serving',
  inputs: [servingInput],
  outputs: [servingOutput],
  params: z.object({
    sequences: param(z.number().int().min(1).max(4096).default(4), {
      label: 'Sequences',
      unit: 'sequences',
      description: 'Sequences decoded together; more wait.',
      kind: 'launch',
      sweep: [1, 2, 4, 8],
    }),
  }),
  apply: (p) => ({ maxSequences: { value: p.sequences, field: 'sequences' } }),
  settings: ['maxSequences'],
  label: (p) => `${p.sequences} sequences`,
  technique: {
    loss: 'none',
    maturity: 'production',
    suits: 'Several clients at once: the weights are read once for all of them.',
    helps: ['decode', 'capacity'],
    hurtsWhen: 'Each sequence needs its own cache, and a larger step makes every token a little later.',
    references: ['https://www.usenix.org/conference/osdi22/presentation/yu'],
  },
});

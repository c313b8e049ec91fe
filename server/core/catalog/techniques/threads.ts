import { z } from 'zod';
import type { NodeType } from '../node-type';
import { param } from '../param';
import { defineNodeType, servingInput, servingOutput } from '../ports';

export const threads: NodeType = defineNodeType({
  type: 'threads',
  family: 'serving',
  group: 'Memory and placement',
  title: 'CPU threads',
  aliases: ['cores', 'OMP_NUM_THREADS', 'CPU'],
  summary: 'Threads that compute on the CPU.',
  stage: 'serving',
  inputs: [servingInput],
  outputs: [servingOutput],
  params: z.object({
    threads: param(z.number().int().min(1).max(1024).default(1), {
      label: 'Threads',
      unit: 'threads',
      description: 'At most one a physical core that nothing else uses.',
      kind: 'launch',
      sweep: [1, 2, 4, 8],
    }),
  }),
  apply: (p) => ({ threads: { value: p.threads, field: 'threads' } }),
  settings: ['threads'],
  label: (p) => `${p.threads} threads`,
  technique: {
    loss: 'none',
    maturity: 'production',
    suits: 'CPU inference on cores of its own.',
    helps: ['prefill', 'decode'],
    hurtsWhen: 'Cores are shared or hyper-threaded: threads wait for each other at every layer.',
    references: [],
  },
});

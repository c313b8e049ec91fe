import { z } from 'zod';
import type { NodeType } from '../node-type';
import { param } from '../param';
import { defineNodeType, gatewayInput, gatewayOutput } from '../ports';

export const shortFirst: NodeType = defineNodeType({
  type: 'short-first',
  family: 'gateway',
  title: 'Short requests first',
  summary: 'Requests with short prompts leave the queue before long ones.',
  aliases: ['short-first priority', 'shortest job first', 'SJF', 'priority queue'],
  stage: 'serving',
  inputs: [gatewayInput],
  outputs: [gatewayOutput],
  params: z.object({
    promptTokens: param(z.number().int().min(1).max(10000000).default(512), {
      label: 'Short is up to',
      unit: 'tokens',
      description: 'Requests of at most that many prompt tokens go first.',
      kind: 'launch',
      sweep: [256, 512, 2048],
    }),
  }),
  apply: () => ({}),
  policy: (p) => ({ gateway: { shortFirstTokens: p.promptTokens } }),
  settings: [],
  label: (p) => `short first (${p.promptTokens})`,
  technique: {
    loss: 'none',
    maturity: 'production',
    suits: 'Chats beside long documents: the mean wait falls.',
    helps: ['prefill'],
    hurtsWhen: 'Short ones never stop coming: long requests starve.',
    references: ['https://arxiv.org/abs/2404.08509'],
  },
});

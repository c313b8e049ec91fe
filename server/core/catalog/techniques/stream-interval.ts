import { z } from 'zod';
import type { NodeType } from '../node-type';
import { param } from '../param';
import { defineNodeType, servingInput, servingOutput } from '../ports';

export const streamInterval: NodeType = defineNodeType({
  type: 'stream-interval',
  family: 'serving',
  group: 'Batching',
  title: 'Stream interval',
  summary: 'The server gathers some tokens before it sends them on a stream.',
  aliases: ['SSE', 'streaming', 'stream_interval', 'server-sent events'],
  stage: 'serving',
  inputs: [servingInput],
  outputs: [servingOutput],
  params: z.object({
    tokens: param(z.number().int().min(1).max(1000).default(4), {
      label: 'Tokens a message',
      unit: 'tokens',
      description: '1 sends each token at once.',
      kind: 'launch',
      sweep: [1, 4, 10],
    }),
  }),
  apply: (p) => ({ streamIntervalTokens: { value: p.tokens, field: 'tokens' } }),
  settings: ['streamIntervalTokens'],
  label: (p) => `stream every ${p.tokens}`,
  technique: {
    loss: 'none',
    maturity: 'production',
    suits: 'Hundreds of streams, where the CPU that sends messages becomes the limit.',
    helps: ['capacity'],
    hurtsWhen: 'People read along: text arrives in jumps, and measured ITL is that of messages.',
    references: ['https://docs.vllm.ai/en/latest/configuration/optimization/'],
  },
});

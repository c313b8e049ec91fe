import { z } from 'zod';
import type { NodeType } from '../node-type';
import { param } from '../param';
import { defineNodeType, servingInput, servingOutput } from '../ports';

export const dynamicBatching: NodeType = defineNodeType({
  type: 'dynamic-batching',
  family: 'serving',
  group: 'Batching',
  title: 'Dynamic batching',
  summary: 'A request waits a moment for others to share its batch.',
  aliases: ['batch window', 'batch_wait_timeout', 'waiting-served-ratio', 'prefill delayer'],
  stage: 'serving',
  inputs: [servingInput],
  outputs: [servingOutput],
  params: z.object({
    waitMs: param(z.number().min(0).max(60_000).default(10), {
      label: 'Wait',
      unit: 'ms',
      description: 'Longest time that a request waits for company.',
      kind: 'launch',
      sweep: [0, 5, 20, 50],
    }),
  }),
  apply: (p) => ({ batchWaitMs: { value: p.waitMs, field: 'waitMs' } }),
  settings: ['batchWaitMs'],
  label: (p) => `wait ${p.waitMs} ms`,
  technique: {
    loss: 'none',
    maturity: 'production',
    suits: 'Throughput from bursts of short requests on engines that batch prefills.',
    helps: ['capacity'],
    hurtsWhen: 'Latency counts: the wait is added to every TTFT. Continuous batching needs no window.',
    references: [
      'https://docs.nvidia.com/deeplearning/triton-inference-server/user-guide/docs/user_guide/batcher.html',
    ],
  },
});

import { z } from 'zod';
import type { NodeType } from '../node-type';
import { param } from '../param';
import { defineNodeType, gatewayInput, gatewayOutput } from '../ports';

const BYTES_PER_KIB = 1024;

export const requestLimits: NodeType = defineNodeType({
  type: 'request-limits',
  family: 'gateway',
  title: 'Request checks',
  summary: 'Requests that take too long, are too large or ask for too much are refused with one kind of error.',
  aliases: ['time-out', 'timeouts', 'request limits', 'parameter checks', 'validation', 'max_tokens', 'body size'],
  stage: 'serving',
  inputs: [gatewayInput],
  outputs: [gatewayOutput],
  params: z.object({
    timeoutS: param(z.number().gt(0).max(86_400).nullable().default(120), {
      label: 'Time-out',
      unit: 's',
      description: 'A request that takes longer ends with 504. Empty: none.',
      kind: 'launch',
      sweep: [30, 120, 600],
    }),
    maxOutputTokens: param(z.number().int().min(1).max(10_000_000).nullable().default(null), {
      label: 'Largest max_tokens',
      unit: 'tokens',
      description: 'A request that asks for more gets 400. Empty: not checked.',
      kind: 'launch',
      sweep: [1024, 4096],
    }),
    maxBodyKib: param(z.number().int().min(1).max(1_048_576).nullable().default(1024), {
      label: 'Largest body',
      unit: 'KiB',
      description: 'A larger request gets 413. Empty: not checked.',
      kind: 'launch',
      sweep: [256, 1024],
    }),
  }),
  apply: () => ({}),
  policy: (p) => ({
    gateway: {
      requestTimeoutS: p.timeoutS,
      maxOutputTokens: p.maxOutputTokens,
      maxBodyBytes: p.maxBodyKib === null ? null : p.maxBodyKib * BYTES_PER_KIB,
    },
  }),
  faults: (p) =>
    p.timeoutS === null && p.maxOutputTokens === null && p.maxBodyKib === null
      ? [{ field: 'timeoutS', message: 'Set one of the limits; with none the node does nothing.' }]
      : [],
  settings: [],
  label: (p) => (p.timeoutS === null ? 'request checks' : `time-out ${p.timeoutS} s`),
  technique: {
    loss: 'none',
    maturity: 'production',
    suits: 'Every endpoint that strangers reach.',
    helps: ['capacity'],
    hurtsWhen: 'The limit is below what answers really take: long ones are cut off.',
    references: ['https://platform.openai.com/docs/guides/error-codes'],
  },
});

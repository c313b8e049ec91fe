import { z } from 'zod';
import type { NodeType } from '../node-type';
import { param } from '../param';
import { defineNodeType, gatewayInput, gatewayOutput } from '../ports';

export const circuitBreaker: NodeType = defineNodeType({
  type: 'circuit-breaker',
  family: 'gateway',
  title: 'Circuit breaker',
  summary: 'After so many failures in a row of time, requests are refused at once until the engine has had a rest.',
  aliases: ['breaker', 'outlier detection', 'fail fast', '503'],
  stage: 'serving',
  inputs: [gatewayInput],
  outputs: [gatewayOutput],
  params: z.object({
    failures: param(z.number().int().min(1).max(10000).default(5), {
      label: 'Failures',
      unit: 'failures',
      description: 'So many within the window open the circuit.',
      kind: 'launch',
      sweep: [3, 5, 10],
    }),
    windowS: param(z.number().gt(0).max(3600).default(30), {
      label: 'Window',
      unit: 's',
      description: 'Time in which failures are counted.',
      kind: 'launch',
      sweep: [10, 30, 60],
    }),
    openS: param(z.number().gt(0).max(3600).default(15), {
      label: 'Rest',
      unit: 's',
      description: 'Time until one request is let through to try.',
      kind: 'launch',
      sweep: [5, 15, 60],
    }),
  }),
  apply: () => ({}),
  policy: (p) => ({ gateway: { breaker: { failures: p.failures, windowS: p.windowS, openS: p.openS } } }),
  settings: [],
  label: (p) => `breaker ${p.failures} in ${p.windowS} s`,
  technique: {
    loss: 'none',
    maturity: 'production',
    suits:
      'Engines that restart or hang: clients get an answer at once, and the engine is not flooded as it comes back.',
    helps: ['capacity'],
    hurtsWhen: 'Failures are the clients’ own fault: count only 5xx and time-outs, as this one does.',
    references: ['https://learn.microsoft.com/en-us/azure/architecture/patterns/circuit-breaker'],
  },
});

import { z } from 'zod';
import type { NodeType, ParamMeta } from '../node-type';
import { param } from '../param';
import { defineNodeType } from '../ports';

const tokens = (label: string, description: string): ParamMeta => ({
  label,
  unit: 'tokens',
  description,
  kind: 'load',
});
const seconds = (label: string, description: string): ParamMeta => ({ label, unit: 's', description, kind: 'load' });
const limit = (label: string) =>
  param(z.number().positive().nullable().default(null), {
    label,
    unit: 'ms',
    description: 'Limit that a request must meet to count as good; empty: no limit.',
    kind: 'load',
  });

const text = (label: string, description: string): ParamMeta => ({ label, unit: null, description, kind: 'load' });

export const workload: NodeType = defineNodeType({
  type: 'workload',
  family: 'sources',
  title: 'Workload',
  summary: 'The traffic that every deployment is measured with.',
  stage: 'source',
  inputs: [],
  outputs: [],
  params: z.object({
    name: param(z.string().nullable().default(null), {
      ...text('Name', "Shown on charts; empty takes the node's id."),
      control: 'text',
    }),
    role: param(
      z.enum(['target', 'guard']).default('target'),
      text('Role', 'The target is what you optimize; a guard only must not get worse.'),
    ),
    endpoint: param(z.enum(['completions', 'chat']).default('chat'), text('API', 'OpenAI endpoint that is called.')),
    inputTokens: param(
      z.number().int().min(1).max(10_000_000).default(192),
      tokens('Input', 'Prompt length, the shared prefix included.'),
    ),
    outputTokens: param(z.number().int().min(1).max(1_000_000).default(64), tokens('Output', 'Tokens asked for.')),
    prefixTokens: param(
      z.number().int().min(0).max(10_000_000).default(0),
      tokens('Shared prefix', 'Leading tokens that all prompts share, such as a system prompt.'),
    ),
    mode: param(
      z.enum(['closed', 'constant', 'poisson']).default('closed'),
      text(
        'Load',
        'closed: N clients, each waits for its answer; constant and poisson: a schedule fixed before the run.',
      ),
    ),
    concurrency: param(z.number().int().min(1).max(4096).default(4), {
      ...text('Clients', 'Closed loop: clients that send one request after the other.'),
      sweep: [1, 2, 4, 8, 16],
    }),
    ratePerS: param(z.number().positive().max(100_000).default(1), {
      label: 'Rate',
      unit: 'requests/s',
      description: 'Open loop: requests that arrive in a second.',
      kind: 'load',
      sweep: [0.5, 1, 2, 4],
    }),
    warmupS: param(z.number().min(0).max(3600).default(2), seconds('Warm-up', 'Cut off before the measured window.')),
    windowS: param(z.number().positive().max(86_400).default(6), seconds('Window', 'Measured time of one trial.')),
    requestTimeoutS: param(
      z.number().positive().max(86_400).default(60),
      seconds('Time-out', 'A request that takes longer counts as failed.'),
    ),
    ignoreEos: param(
      z.boolean().default(true),
      text(
        'Fixed output length',
        'The engine ignores the end-of-text token, so that every answer has the same length.',
      ),
    ),
    sloTtftMs: limit('TTFT limit'),
    sloTpotMs: limit('TPOT limit'),
    sloItlMs: limit('ITL limit'),
    sloE2eMs: limit('E2E limit'),
    sloPercentile: param(z.number().gt(0).lt(100).default(99), {
      label: 'Limits hold at percentile',
      unit: '%',
      description: 'Share of requests that must meet each limit.',
      kind: 'load',
    }),
  }),
  apply: () => ({}),
  withoutEffect: (p) => (p.mode === 'closed' ? ['ratePerS'] : ['concurrency']),
  settings: [],
  technique: null,
});

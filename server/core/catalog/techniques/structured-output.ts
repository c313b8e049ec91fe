import { z } from 'zod';
import type { NodeType } from '../node-type';
import { param } from '../param';
import { defineNodeType, servingInput, servingOutput } from '../ports';

export const structuredOutput: NodeType = defineNodeType({
  type: 'structured-output',
  family: 'decoding',
  group: 'Sampling',
  title: 'Structured output',
  summary: 'Tokens that would break the JSON schema or grammar of a request are masked.',
  aliases: ['guided decoding', 'grammar', 'JSON schema', 'constrained decoding', 'xgrammar', 'guidance', 'outlines'],
  stage: 'decoding',
  inputs: [servingInput],
  outputs: [servingOutput],
  params: z.object({
    backend: param(z.enum(['xgrammar', 'guidance', 'outlines', 'lm-format-enforcer']).default('xgrammar'), {
      label: 'Backend',
      unit: null,
      description: 'Library that turns a schema into masks.',
      kind: 'launch',
      sweep: ['xgrammar', 'guidance', 'outlines'],
    }),
  }),
  apply: (p) => ({ structuredOutputBackend: { value: p.backend, field: 'backend' } }),
  settings: ['structuredOutputBackend'],
  label: (p) => p.backend,
  technique: {
    loss: 'none',
    maturity: 'production',
    suits: 'Tool calls and extraction: the answer always parses.',
    helps: [],
    hurtsWhen:
      'Schemas are large and new with every request: compiling one takes tens of milliseconds before the first token.',
    references: ['https://arxiv.org/abs/2411.15100', 'https://arxiv.org/abs/2307.09702'],
  },
});

import { z } from 'zod';
import { ownModelSchema } from '../../facts/own-model';
import type { NodeType } from '../node-type';
import { param } from '../param';
import { defineNodeType, weightsOutput } from '../ports';

export const model: NodeType = defineNodeType({
  type: 'model',
  family: 'sources',
  title: 'Model',
  summary: 'The checkpoint that everything else starts from.',
  stage: 'source',
  inputs: [],
  outputs: [weightsOutput],
  params: z.object({
    model: param(z.string().min(1).default('inferloom-demo'), {
      label: 'Model',
      unit: null,
      description: 'Id from the model table, or a Hugging Face repository (owner/name).',
      kind: 'launch',
      control: 'model',
    }),
    path: param(z.string().min(1).nullable().default(null), {
      label: 'File on the worker',
      unit: null,
      description: 'A GGUF file or a checkpoint folder on the worker, used in place of the repository.',
      kind: 'launch',
      control: 'text',
    }),
    revision: param(z.string().min(1).nullable().default(null), {
      label: 'Revision',
      unit: null,
      description: 'Commit or tag of the repository; empty takes its main branch.',
      kind: 'launch',
      control: 'text',
    }),
    facts: param(ownModelSchema.nullable().default(null), {
      label: 'Own facts',
      unit: null,
      description:
        'What is known of a model that is in no table: from its config.json, a GGUF header, or by hand. Takes the place of the table.',
      kind: 'launch',
      control: 'model-facts',
    }),
  }),
  apply: () => ({}),
  withoutEffect: (p) => (p.path === null ? [] : ['revision']),
  settings: [],
  technique: null,
});

import { z } from 'zod';
import type { NodeType } from '../node-type';
import { param } from '../param';
import { defineNodeType, weightsInput, weightsOutput } from '../ports';

export const distilledStudent: NodeType = defineNodeType({
  type: 'distilled-student',
  family: 'compression',
  group: 'Pruning, distillation',
  title: 'Distilled student',
  summary: 'A smaller model that was trained on the answers of the one that enters takes its place.',
  aliases: ['distillation', 'student', 'teacher', 'smaller model'],
  stage: 'weights',
  inputs: [weightsInput],
  outputs: [weightsOutput],
  params: z.object({
    model: param(z.string().min(1).nullable().default(null), {
      label: 'Student',
      unit: null,
      description:
        'The smaller model: an id of the table or a repository. It takes the place of the model that enters.',
      kind: 'launch',
      control: 'model',
    }),
  }),
  apply: () => ({}),
  faults: (p) =>
    p.model === null ? [{ field: 'model', message: 'Name the student that takes the place of the teacher.' }] : [],
  settings: [],
  replacesModel: (p) => p.model,
  label: (p) => `student: ${p.model ?? 'not named'}`,
  technique: {
    loss: 'over-3-percent',
    maturity: 'production',
    suits: 'Long, heavy use of one task: a student of 1–3B reaches 80–90 % of a 7B teacher at a fraction of the cost.',
    helps: ['prefill', 'decode', 'memory', 'capacity'],
    hurtsWhen: 'Questions leave the ground that it was trained on. It must be trained first, or be published already.',
    references: ['https://arxiv.org/abs/1503.02531', 'https://arxiv.org/abs/2306.08543'],
  },
});

import { z } from 'zod';
import type { NodeType } from '../node-type';
import { param } from '../param';
import { defineNodeType, servingInput, servingOutput } from '../ports';

export const torchProfiler: NodeType = defineNodeType({
  type: 'torch-profiler',
  family: 'serving',
  group: 'Observation',
  title: 'Torch profiler',
  summary: 'The engine can write a trace of its kernels when asked.',
  aliases: ['profiling', 'trace', 'Perfetto', 'Nsight', 'kineto'],
  stage: 'serving',
  inputs: [servingInput],
  outputs: [servingOutput],
  params: z.object({
    folder: param(z.string().min(1).default('/tmp/inferloom-traces'), {
      label: 'Folder',
      unit: null,
      description: 'Folder on the worker into which traces are written.',
      kind: 'launch',
      control: 'text',
    }),
  }),
  apply: (p) => ({ torchProfilerFolder: { value: p.folder, field: 'folder' } }),
  settings: ['torchProfilerFolder'],
  label: () => 'profiler',
  technique: {
    loss: 'none',
    maturity: 'production',
    suits: 'Finding out where a step spends its time.',
    helps: [],
    hurtsWhen: 'It records: every kernel is slowed down, so numbers of such a run are not for comparison.',
    references: [
      'https://docs.vllm.ai/en/latest/contributing/profiling/',
      'https://docs.pytorch.org/docs/stable/profiler.html',
    ],
  },
});

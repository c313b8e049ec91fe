import { z } from 'zod';
import { calibrationParam, checkpointRequest, idleFor, repoParam, sourceParam, toolParam } from '../checkpoint-params';
import type { NodeType } from '../node-type';
import { param } from '../param';
import { defineNodeType, weightsInput, weightsOutput } from '../ports';

export const sparsePruning: NodeType = defineNodeType({
  type: 'sparse-pruning',
  family: 'compression',
  group: 'Pruning, distillation',
  title: 'Sparse pruning (SparseGPT, 2:4)',
  summary:
    'Single weights are set to zero. No engine here has kernels for it: it loads dense, and only quality changes.',
  aliases: ['SparseGPT', '2:4 sparsity', 'Wanda', 'unstructured', 'semi-structured', 'N:M'],
  stage: 'weights',
  inputs: [weightsInput],
  outputs: [weightsOutput],
  params: z.object({
    pattern: param(z.enum(['2:4', 'unstructured']).default('2:4'), {
      label: 'Pattern',
      unit: null,
      description: '2:4: two of every four neighbours are zero; unstructured: anywhere.',
      kind: 'launch',
      sweep: ['2:4', 'unstructured'],
    }),
    source: sourceParam(['checkpoint', 'recipe']),
    repo: repoParam(),
    tool: toolParam(
      ['sparsegpt'],
      "Olive's SparseGPT pass is not among them: it knows five architectures only, by a workflow file of its own.",
    ),
    percent: param(z.number().gt(0).lt(100).default(50), {
      label: 'Zeros',
      unit: '%',
      description: 'For a recipe without a fixed pattern: share of the weights that become zero.',
      kind: 'launch',
      sweep: [30, 50],
    }),
    calibrationSamples: calibrationParam(),
  }),
  apply: (p) => ({ weightsSparsity: { value: p.pattern, field: 'pattern' } }),
  faults: (p) =>
    p.source === 'checkpoint' && p.repo === null
      ? [{ field: 'repo', message: 'Name the repository that holds the sparse weights, or make them by recipe.' }]
      : [],
  withoutEffect: (p) => [
    ...idleFor(p.source, ['tool', 'percent', 'calibrationSamples']),
    ...(p.source === 'recipe' && p.pattern === '2:4' ? (['percent'] as const) : []),
  ],
  settings: ['weightsSparsity'],
  checkpoint: (p) =>
    checkpointRequest({
      ...p,
      knownAs: [],
      options: {
        pattern: p.pattern,
        percent: p.pattern === '2:4' ? 50 : p.percent,
        calibrationSamples: p.calibrationSamples,
      },
    }),
  loss: (p) =>
    p.source === 'recipe' && p.pattern === 'unstructured' && p.percent < 30 ? 'under-1-percent' : 'over-3-percent',
  label: (p) => (p.pattern === '2:4' ? '2:4 sparse' : 'sparse'),
  technique: {
    loss: 'over-3-percent',
    maturity: 'evolving',
    suits: 'Measuring what zeros cost in quality before kernels for them come back.',
    helps: [],
    hurtsWhen:
      'Speed is wanted: vLLM removed its 2:4 kernels, the others never had them. SparseGPT 2:4 without training doubles the perplexity of Llama-2-7B.',
    references: ['https://arxiv.org/abs/2301.00774', 'https://arxiv.org/abs/2306.11695'],
  },
});

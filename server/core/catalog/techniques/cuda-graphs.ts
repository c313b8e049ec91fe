import { z } from 'zod';
import type { NodeType } from '../node-type';
import { onOffParam } from '../on-off-param';
import { param } from '../param';
import { defineNodeType, servingInput, servingOutput } from '../ports';

export const cudaGraphs: NodeType = defineNodeType({
  type: 'cuda-graphs',
  family: 'attention',
  title: 'CUDA graphs',
  summary: 'The kernels of a decode step are recorded once for each batch size and started with one call.',
  aliases: ['cudagraph', 'enforce-eager', 'graph capture', 'HIP graphs'],
  stage: 'attention',
  inputs: [servingInput],
  outputs: [servingOutput],
  params: z.object({
    state: onOffParam('Recorded graphs on, or each kernel started on its own.'),
    maxBatch: param(z.number().int().min(1).max(8192).nullable().default(null), {
      label: 'Largest batch',
      unit: 'sequences',
      description:
        "Graphs are recorded up to this many decoding sequences; larger steps run without. Empty leaves the engine's default.",
      kind: 'launch',
      sweep: [32, 128, 512],
    }),
  }),
  apply: (p) => ({
    cudaGraphs: { value: p.state, field: 'state' },
    ...(p.state === 'on' && p.maxBatch !== null && { cudaGraphMaxBatch: { value: p.maxBatch, field: 'maxBatch' } }),
  }),
  withoutEffect: (p) => (p.state === 'off' ? ['maxBatch'] : []),
  settings: ['cudaGraphs', 'cudaGraphMaxBatch'],
  label: (p) => `CUDA graphs ${p.state}`,
  technique: {
    loss: 'none',
    maturity: 'production',
    suits: 'Decode at small batches, where the CPU cannot start kernels as fast as the GPU ends them.',
    helps: ['decode'],
    hurtsWhen: 'Memory is short: the graphs take 1–3 GiB, and recording many sizes makes the start slow.',
    references: ['https://developer.nvidia.com/blog/cuda-graphs/'],
  },
});

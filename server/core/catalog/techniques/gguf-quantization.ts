import { z } from 'zod';
import { findGgufType, GGUF_QUANTIZATION_TYPES } from '../../facts/gguf-types';
import { checkpointRequest } from '../checkpoint-params';
import type { LossClass, NodeType } from '../node-type';
import { param } from '../param';
import { defineNodeType, weightsInput, weightsOutput } from '../ports';

/** Loss class from the published perplexity change of the type on Llama-3-8B (facts/gguf-types). */
function lossOfType(type: string): LossClass {
  const percent = findGgufType(type)?.perplexityChangePercent;
  if (percent === undefined || percent === null) return 'lossy';
  if (percent < 1) return 'under-1-percent';
  return percent <= 3 ? '1-to-3-percent' : 'over-3-percent';
}

export const ggufQuantization: NodeType = defineNodeType({
  type: 'gguf-quantization',
  family: 'compression',
  group: 'Quantization',
  title: 'GGUF quantization',
  aliases: ['k-quants', 'i-quants', 'llama.cpp', 'Q8_0', 'Q2_K'],
  summary: "Weights in one of llama.cpp's block formats.",
  stage: 'weights',
  inputs: [weightsInput],
  outputs: [weightsOutput],
  params: z.object({
    type: param(z.enum(GGUF_QUANTIZATION_TYPES).default('Q4_K_M'), {
      label: 'Type',
      unit: null,
      description: 'Fewer bits a weight: less memory to read for each token, more loss.',
      kind: 'launch',
      sweep: ['Q8_0', 'Q6_K', 'Q5_K_M', 'Q4_K_M'],
    }),
    source: param(z.enum(['recipe', 'checkpoint']).default('recipe'), {
      label: 'File',
      unit: null,
      description: 'recipe: made from the unquantized model with llama-quantize; checkpoint: downloaded as it is.',
      kind: 'launch',
    }),
    repo: param(z.string().min(1).nullable().default(null), {
      label: 'Repository',
      unit: null,
      description: 'For a downloaded checkpoint: where it is; empty takes the one known for the model.',
      kind: 'launch',
      control: 'text',
    }),
    imatrix: param(z.string().min(1).nullable().default(null), {
      label: 'Importance matrix',
      unit: null,
      description:
        'For a recipe: file on the worker that llama-imatrix wrote from sample text. IQ1, IQ2, IQ3_XS, IQ3_XXS and Q2_K_S cannot be made without one; Q2_K and the other IQ3 are poor without.',
      kind: 'launch',
      control: 'text',
    }),
  }),
  apply: (p) => ({ weightsFormat: { value: `gguf:${p.type}`, field: 'type' } }),
  withoutEffect: (p) => (p.source === 'recipe' ? ['repo'] : ['imatrix']),
  settings: ['weightsFormat'],
  checkpoint: (p) =>
    checkpointRequest({
      ...p,
      tool: 'llama-quantize',
      knownAs: ['GGUF'],
      ...(p.imatrix !== null && { options: { imatrix: p.imatrix } }),
    }),
  loss: (p) => lossOfType(p.type),
  label: (p) => p.type,
  technique: {
    loss: '1-to-3-percent',
    maturity: 'production',
    suits: 'Decode that is bound by memory bandwidth: few sequences, CPUs, small GPUs.',
    helps: ['decode', 'memory', 'capacity'],
    hurtsWhen: 'Prefill and large batches are bound by arithmetic: unpacking the blocks costs time there.',
    references: ['https://github.com/ggml-org/llama.cpp/blob/master/tools/quantize/README.md'],
  },
});

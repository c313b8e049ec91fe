import { z } from 'zod';
import type { NodeType } from '../node-type';
import { onOffParam } from '../on-off-param';
import { defineNodeType, servingInput, servingOutput } from '../ports';

export const staticKvCache: NodeType = defineNodeType({
  type: 'static-kv-cache',
  family: 'kv-cache',
  title: 'Static KV cache',
  summary: 'One buffer of fixed length for each sequence, so that shapes never change and the model can be compiled.',
  aliases: ['cache_implementation static', 'past_present_share_buffer', 'fixed buffer'],
  stage: 'kv-cache',
  inputs: [servingInput],
  outputs: [servingOutput],
  params: z.object({ state: onOffParam('Buffers of fixed length, or a cache that grows.') }),
  apply: (p) => ({ staticKvCache: { value: p.state, field: 'state' } }),
  settings: ['staticKvCache'],
  label: (p) => `static cache ${p.state}`,
  technique: {
    loss: 'none',
    maturity: 'production',
    suits: 'One or few sequences in Transformers or ONNX Runtime, with torch.compile or CUDA graphs.',
    helps: ['decode'],
    hurtsWhen: 'Lengths differ or sequences are many: every buffer is as long as the longest sequence may become.',
    references: ['https://huggingface.co/docs/transformers/kv_cache'],
  },
});

import { z } from 'zod';
import type { NodeType } from '../node-type';
import { onOffParam } from '../on-off-param';
import { param } from '../param';
import { defineNodeType, servingInput, servingOutput } from '../ports';

export const slidingWindow: NodeType = defineNodeType({
  type: 'sliding-window',
  family: 'kv-cache',
  title: 'Sliding window',
  summary: 'Attention over the latest tokens only: as the model was made, switched off, or imposed.',
  aliases: ['SWA', 'local attention', 'max_attention_window', 'Gemma window', 'swa-full'],
  stage: 'kv-cache',
  inputs: [servingInput],
  outputs: [servingOutput],
  params: z.object({
    state: onOffParam('on: layers made with a window keep only its tokens; off: they keep every token all the same.'),
    tokens: param(z.number().int().min(1).max(10_000_000).nullable().default(null), {
      label: 'Imposed window',
      unit: 'tokens',
      description:
        'A window of that many tokens on every layer, also of a model made without: lossy. Empty imposes none.',
      kind: 'launch',
      sweep: [1024, 4096, 8192],
    }),
  }),
  apply: (p) =>
    p.tokens === null
      ? { slidingWindow: { value: p.state, field: 'state' } }
      : { slidingWindowTokens: { value: p.tokens, field: 'tokens' } },
  faults: (p) =>
    p.state === 'off' && p.tokens !== null
      ? [{ field: 'tokens', message: 'A window cannot be imposed and switched off at once.' }]
      : [],
  settings: ['slidingWindow', 'slidingWindowTokens'],
  loss: (p) => (p.tokens === null ? 'none' : 'lossy'),
  label: (p) => (p.tokens === null ? `window ${p.state}` : `window ${p.tokens}`),
  technique: {
    loss: 'none',
    maturity: 'production',
    suits: 'Models made with windows (Gemma, Mistral 7B v0.1, gpt-oss): the cache of those layers stops growing.',
    helps: ['memory', 'capacity', 'decode'],
    hurtsWhen:
      'It is imposed on a model made without: what lies before the window is forgotten; questions over several places suffer first.',
    references: ['https://arxiv.org/abs/2310.06825', 'https://arxiv.org/abs/2004.05150'],
  },
});

import { z } from 'zod';
import type { NodeType } from '../node-type';
import { onOffParam } from '../on-off-param';
import { defineNodeType, servingInput, servingOutput } from '../ports';

export const prefixCaching: NodeType = defineNodeType({
  type: 'prefix-caching',
  family: 'kv-cache',
  title: 'Prefix caching',
  aliases: ['RadixAttention', 'automatic prefix caching', 'APC', 'prompt caching', 'block reuse', 'cache reuse'],
  summary: 'Keys and values of a prompt prefix are kept and used again by the next request that starts alike.',
  stage: 'kv-cache',
  inputs: [servingInput],
  outputs: [servingOutput],
  params: z.object({ state: onOffParam('Reuse of the cache across requests on or off.') }),
  apply: (p) => ({ prefixCaching: { value: p.state, field: 'state' } }),
  settings: ['prefixCaching'],
  label: (p) => `prefix cache ${p.state}`,
  technique: {
    loss: 'none',
    maturity: 'production',
    suits: 'Chat with a system prompt, few-shot prompts, agents: prompts that share their beginning.',
    helps: ['prefill'],
    hurtsWhen: 'Prompts share nothing: looking up and evicting blocks costs a little and gains nothing.',
    references: ['https://arxiv.org/abs/2312.07104'],
  },
});

import { fixParam, judged, placeOf } from './judge';
import type { Rule } from './rule';

export const promptLookupRange: Rule = {
  id: 'prompt-lookup-range',
  summary: 'the shortest match cannot be longer than the longest',
  source: 'vLLM vllm/config/speculative.py:826; llama.cpp common/arg.cpp',
  check(ctx) {
    const min = ctx.value('promptLookupMinTokens');
    const max = ctx.value('promptLookupMaxTokens');
    if (ctx.value('speculation') !== 'prompt-lookup' || min === null || max === null || min <= max) return [];
    const place = placeOf(ctx, 'promptLookupMinTokens');
    const message = `The shortest match (${min} tokens) is longer than the longest (${max}).`;
    return [
      judged(this, 'error', message, { ...place, fix: fixParam(place, max, `Set the shortest match to ${max}`) }),
    ];
  },
};

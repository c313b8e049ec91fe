import { fixParam, judged, placeOf } from './judge';
import type { Rule } from './rule';

export const speculationMinP: Rule = {
  id: 'speculation-min-p',
  summary: 'vLLM rejects min_p while it speculates',
  source: 'vLLM vllm/sampling_params.py:929',
  check(ctx) {
    const minP = ctx.value('minP') ?? 0;
    if (ctx.engine.id !== 'vllm' || minP === 0 || (ctx.value('speculation') ?? 'off') === 'off') return [];
    const place = placeOf(ctx, 'minP');
    const message = `vLLM answers a request with min_p = ${minP} with an error while it speculates.`;
    return [judged(this, 'error', message, { ...place, fix: fixParam(place, 0, 'Leave min_p out') })];
  },
};

import { fixParam, isLlamaCpp, judged, placeOf } from './judge';
import type { Rule } from './rule';

const UNQUANTIZED: readonly string[] = ['F32', 'F16', 'BF16'];

export const quantizedValuesNeedFlash: Rule = {
  id: 'quantized-values-need-flash',
  summary: 'a quantized value cache needs flash attention',
  source: 'llama.cpp src/llama-context.cpp:3596',
  check(ctx) {
    const type = ctx.value('kvCacheValueType');
    if (!isLlamaCpp(ctx) || type === null || UNQUANTIZED.includes(type)) return [];
    if (ctx.value('flashAttention') !== 'off') return [];
    const place = placeOf(ctx, 'flashAttention');
    const message = `llama.cpp refuses a ${type} value cache while flash attention is off.`;
    return [judged(this, 'error', message, { ...place, fix: fixParam(place, 'on', 'Switch flash attention on') })];
  },
};

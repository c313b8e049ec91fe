import { isLlamaCpp, judged, notChecked, placeOf } from './judge';
import type { Rule } from './rule';

const UNQUANTIZED: readonly string[] = ['F32', 'F16', 'BF16'];
/** Values in one block of every quantized cache type. */
const BLOCK = 32;

export const kvTypeBlocks: Rule = {
  id: 'kv-type-blocks',
  summary: 'blocks of a quantized cache must divide a head',
  source: 'llama.cpp src/llama-context.cpp:3607,3618',
  check(ctx) {
    if (!isLlamaCpp(ctx)) return [];
    const asked = [ctx.asked('kvCacheKeyType'), ctx.asked('kvCacheValueType')];
    const quantized = asked.find((entry) => entry !== null && !UNQUANTIZED.includes(entry.value));
    const model = ctx.models.target;
    if (!quantized || model === undefined) return [];
    const place = placeOf(ctx, quantized.name);
    const headDim = model.facts?.headDim ?? null;
    if (headDim === null) return [notChecked(this, `head size of ${model.id}`, place)];
    if (headDim % BLOCK === 0) return [];
    const message = `${quantized.value} holds blocks of ${BLOCK} values, but a head of ${model.id} has ${headDim}.`;
    return [judged(this, 'error', message, place)];
  },
};

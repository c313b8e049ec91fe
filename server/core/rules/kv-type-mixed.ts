import { fixParam, isLlamaCpp, judged, notChecked, placeOf } from './judge';
import type { Rule } from './rule';

/** Types for which stock CUDA builds compile flash attention, keys and values alike. */
const COMPILED: readonly string[] = ['F16', 'BF16', 'Q8_0', 'Q4_0'];

export const kvTypeMixed: Rule = {
  id: 'kv-type-mixed',
  summary: 'mixed or rare cache types leave the GPU in stock CUDA builds',
  source: 'llama.cpp ggml/src/ggml-cuda/fattn.cu:321-346; docs/build.md:303',
  check(ctx) {
    const key = ctx.value('kvCacheKeyType');
    const value = ctx.value('kvCacheValueType');
    if (!isLlamaCpp(ctx) || key === null || value === null) return [];
    if (key === value && COMPILED.includes(key)) return [];
    if (ctx.asked('kvCacheKeyType') === null && ctx.asked('kvCacheValueType') === null) return [];
    const place = placeOf(ctx, 'kvCacheValueType');
    const fix = fixParam(place, key, `Use ${key} for both`);
    if (ctx.hardware.kind === 'cpu') {
      if (key === value) return [];
      const message = `Keys in ${key} and values in ${value}: fine on a CPU; stock CUDA builds have no kernel for the pair.`;
      return [judged(this, 'info', message, { ...place, fix })];
    }
    const vendor = ctx.hardware.facts?.vendor ?? null;
    if (vendor === null) return [notChecked(this, `vendor of ${ctx.hardware.id}`, place)];
    if (vendor !== 'nvidia') return [];
    const message = `Stock CUDA builds compile flash attention for equal ${COMPILED.join(', ')} only: with ${key} keys and ${value} values attention runs on the CPU.`;
    return [judged(this, 'warning', message, { ...place, fix })];
  },
};

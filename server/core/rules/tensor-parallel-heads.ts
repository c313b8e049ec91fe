import { fixParam, judged, notChecked, placeOf } from './judge';
import type { Rule } from './rule';

export const tensorParallelHeads: Rule = {
  id: 'tensor-parallel-heads',
  summary: 'attention heads must split evenly over tensor-parallel ranks',
  source: 'vLLM vllm/config/model.py:1368 and get_num_kv_heads',
  check(ctx) {
    const ranks = ctx.value('tensorParallel') ?? 1;
    const model = ctx.models.target;
    if (ctx.engine.id !== 'vllm' || ranks === 1 || model === undefined) return [];
    const place = placeOf(ctx, 'tensorParallel');
    const { heads, kvHeads } = model.facts ?? { heads: null, kvHeads: null };
    if (heads === null || kvHeads === null) return [notChecked(this, `attention heads of ${model.id}`, place)];
    if (heads % ranks !== 0) {
      const message = `${heads} attention heads of ${model.id} do not split over ${ranks} ranks.`;
      return [judged(this, 'error', message, { ...place, fix: fixParam(place, 1, 'Use one rank') })];
    }
    if (ranks % kvHeads !== 0 && kvHeads % ranks !== 0) {
      const message = `${kvHeads} KV heads of ${model.id} can neither be split nor copied evenly over ${ranks} ranks.`;
      return [judged(this, 'error', message, place)];
    }
    if (ranks <= kvHeads) return [];
    const message = `With ${ranks} ranks and ${kvHeads} KV heads the cache is kept ${ranks / kvHeads} times: capacity stops growing.`;
    return [judged(this, 'warning', message, place)];
  },
};
